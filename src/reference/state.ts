import type { JsonObject } from './json.js';

/** What a session is, as far as its records say: the whole of it is rebuilt from the log at a load. */
export interface SessionState {
  readonly sessionId: string;
  /** The first record; undefined only for a log that holds none. */
  created: Created | undefined;
  updatedAt: string;
  lastActivityAt: string | undefined;
  /** True until something happened that is worth keeping an otherwise empty session for. */
  isEmpty: boolean;
  /** The last record is an orderly end. */
  isEnded: boolean;

  readonly items: Map<string, Item>;
  readonly turns: Map<string, TurnFacts>;
  activeTurn: TurnRef | undefined;
  queue: QueuedTurn[];
  turnCount: number;
  lastTurn: JsonObject | undefined;

  goal: Goal | undefined;
  model: { readonly modelId: string; readonly providerId: string; readonly source: string };
  approvalMode: EffectiveApprovalMode;
  reasoningEffort: { readonly reasoningEffort: string; readonly source: string } | undefined;
  name: string | undefined;
  todoList: JsonObject | undefined;
  /** The branch of the workspace as it was last observed. */
  branch: JsonObject | undefined;
  tokenUsage: TokenTotals;
  contextUsage: JsonObject | undefined;
  workspaceRoots: readonly string[];

  readonly approvals: Map<string, Approval>;
  readonly userInputs: Map<string, UserInput>;
  /** Subjects that a client allowed for the whole session. */
  readonly sessionGrants: Set<string>;
  readonly boundaries: Boundary[];
  readonly outputs: Map<string, StoredOutput>;
  readonly uploads: Map<string, Upload>;
  /** Skill activations by `scope selector`. */
  readonly activations: Map<string, string>;
}

export interface Created {
  readonly at: string;
  /** The command that created the session. */
  readonly commandId: string;
  readonly workspaceRoot: string | null;
  readonly workspaceRoots: readonly string[];
  readonly modelId: string;
  readonly providerId: string;
  readonly approvalMode: string;
  readonly createdByClient?: JsonObject;
  readonly forkedFrom?: Provenance & { readonly cutExplicit: boolean };
  readonly sideFrom?: Provenance;
}

export interface Provenance {
  readonly commandId: string;
  readonly sessionId: string;
  readonly cutCursor: string;
}

/** An item at its latest revision. */
export interface Item extends JsonObject {
  readonly itemId: string;
  readonly kind: string;
  /** Null only for a shell command that belongs to no turn. */
  readonly turnId: string | null;
  readonly revision: number;
  readonly status: string;
}

export interface TurnRef {
  readonly turnId: string;
  readonly commandId: string;
}

export interface TurnFacts extends TurnRef {
  /** The terminal, `unqueued` for a turn that was reclaimed, undefined while it runs. */
  readonly end?: string;
}

export interface QueuedTurn extends TurnRef {
  readonly submission: Submission;
}

/** What a client submitted, in the form that the provider reads. */
export interface Submission {
  /** The text parts, and what skills expand to, in order. */
  readonly text: string;
  readonly displayText?: string;
  readonly attachments?: readonly JsonObject[];
  readonly userShell?: string;
  readonly tokenBudget?: number;
  readonly workspaceRoots?: readonly string[];
}

export interface Goal extends JsonObject {
  readonly objective: string;
  readonly status: string;
  readonly percentComplete: number;
}

export interface EffectiveApprovalMode {
  readonly mode: string;
  readonly source: string;
  readonly lastCommandId: string | null;
}

export interface TokenTotals extends JsonObject {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export interface Approval {
  /** The params of its `approval/request`, as they are now. */
  readonly request: JsonObject;
  /** Who won and how; undefined while it is pending. */
  readonly resolution?: {
    readonly decision: string;
    readonly resolvedBy: string;
    readonly viewCursor: string;
  };
}

export interface UserInput {
  readonly request: JsonObject;
  readonly settlement?: { readonly outcome: string; readonly viewCursor: string };
}

/** An installed compaction. */
export interface Boundary {
  readonly position: number;
  readonly boundaryCursor: string;
  readonly summarizedThrough: string;
}

export interface StoredOutput {
  readonly itemId: string;
  readonly mediaType: string;
  readonly base64: string;
}

export interface Upload {
  readonly mediaType: string;
  readonly totalBytes: number;
  readonly chunkCount: number;
  /** Chunk sizes in bytes by index. */
  readonly chunks: ReadonlyMap<number, number>;
}

export function emptyState(sessionId: string): SessionState {
  return {
    sessionId,
    created: undefined,
    updatedAt: '',
    lastActivityAt: undefined,
    isEmpty: true,
    isEnded: false,
    items: new Map(),
    turns: new Map(),
    activeTurn: undefined,
    queue: [],
    turnCount: 0,
    lastTurn: undefined,
    goal: undefined,
    model: { modelId: '', providerId: '', source: 'default' },
    approvalMode: { mode: 'promptUnmatched', source: 'startup', lastCommandId: null },
    reasoningEffort: undefined,
    name: undefined,
    todoList: undefined,
    branch: undefined,
    tokenUsage: { promptTokens: 0, outputTokens: 0, totalTokens: 0 },
    contextUsage: undefined,
    workspaceRoots: [],
    approvals: new Map(),
    userInputs: new Map(),
    sessionGrants: new Set(),
    boundaries: [],
    outputs: new Map(),
    uploads: new Map(),
    activations: new Map(),
  };
}

export function pendingApprovals(state: SessionState): readonly JsonObject[] {
  return [...state.approvals.values()].flatMap(({ request, resolution }) => (resolution ? [] : [request]));
}

export function pendingUserInputs(state: SessionState): readonly JsonObject[] {
  return [...state.userInputs.values()].flatMap(({ request, settlement }) => (settlement ? [] : [request]));
}

export function isComplete(item: Item): boolean {
  return item.status !== 'inProgress';
}
