/** One line of a transcript, with its place in the file. */
export type Step = FrameStep | ControlStep;

export interface FrameStep {
  readonly dir: 'client' | 'server';
  /** The frame without its line end; a client frame may end in CR. */
  readonly raw: string;
  /** 1-based line in the transcript file. */
  readonly line: number;
  /**
   * The members of the line's object that are not `dir` and `raw`, kept for rewriting. A number that a double cannot
   * hold is an `ExactNumber`.
   */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What the harness can do to the server. */
export const CONTROL_OPS = ['restart', 'crash', 'reconnect', 'wait'] as const;
export type ControlOp = (typeof CONTROL_OPS)[number];

/** What the harness does to the server between two frames. */
export interface ControlStep {
  readonly dir: 'control';
  readonly op: ControlOp;
  readonly line: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * `manifest.json` as published, plus our `conformance` member. Unknown members are kept; a number that a double
 * cannot hold is an `ExactNumber` there.
 */
export interface Manifest {
  readonly kind?: string;
  readonly scenario?: string;
  readonly provenance?: string;
  readonly fingerprint?: string;
  readonly serverConfig?: { readonly frameLimitBytes?: number; readonly [name: string]: unknown };
  readonly normalize?: readonly string[];
  readonly seeds?: Readonly<Record<string, unknown>>;
  readonly source?: readonly { readonly lines?: string; readonly cite?: string }[];
  readonly conformance?: ConformanceSection;
  readonly [name: string]: unknown;
}

export interface ConformanceSection {
  readonly title?: string;
  /** The sentence of the protocol that the scenario shows, with its source. */
  readonly requirement?: string;
  readonly requires?: {
    /** Grantable capability names that the connection must be granted. */
    readonly capabilities?: readonly string[];
    readonly durability?: 'durable' | 'ephemeral';
    /** Methods that must not answer `methodNotFound` (beyond those that the transcript calls). */
    readonly methods?: readonly string[];
    /** `stdio`, `unix`, `tcp`: the transports that the scenario makes sense on (default: all). */
    readonly transports?: readonly string[];
    /**
     * Short form of `behaviours`: what the first client `turn/start` must bring about, or the successive ones in
     * order. Not looked at when `behaviours` is given.
     */
    readonly provider?: BehaviourName | readonly BehaviourName[];
  };
  /**
   * Behaviour by turn: which of the client's turn inputs must bring about what, keyed by the transcript's
   * line number of the client frame. The frame's input text is replaced by the target's words for it.
   */
  readonly behaviours?: Readonly<Record<string, BehaviourName>>;
  /** Which derived passes run by default (absent: all that apply; `[]`: none). Passes named with `--passes` run anyway. */
  readonly passes?: readonly string[];
  /** How long a whole run of it took, in milliseconds: shards are dealt out by it. */
  readonly durationMs?: number;
  readonly match?: MatchOverrides;
  /** The recording was ended by force, or goes on: what its end leaves unanswered is nobody's fault. */
  readonly cutShort?: boolean;
}

/** What a server's model can be asked to do on cue. */
export const BEHAVIOUR_NAMES = ['slow', 'fail', 'approval', 'question', 'echo'] as const;
export type BehaviourName = (typeof BEHAVIOUR_NAMES)[number];

/** Path patterns are dotted, rooted at the frame, with `*` for any one member or index: `params.item.text`. */
export interface MatchOverrides {
  readonly ignore?: readonly string[];
  readonly bind?: readonly string[];
  readonly shape?: readonly string[];
}

export interface Scenario {
  readonly id: string;
  /** Absolute path of the scenario's folder. */
  readonly folder: string;
  readonly transcriptPath: string;
  /** Undefined when the folder has no manifest: still a scenario. */
  readonly manifest: Manifest | undefined;
  readonly steps: readonly Step[];
}
