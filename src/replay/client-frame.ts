import { v7 as mintUuid } from 'uuid';
import { replaceValue, rewriteStrings } from '../wire/rewrite.js';
import type { Bindings } from './bindings.js';
import { isRecord } from './exchange.js';
import { FREE_TEXT_MEMBERS, idKind, menuAt } from './members.js';
import type { ClientStep } from './script.js';
import type { WorkspacePaths } from './workspace-paths.js';

export interface FrameRules {
  readonly bindings: Bindings;
  /** `recorded`: client-minted values and paths go out as they were recorded. */
  readonly ids: 'fresh' | 'recorded';
  readonly paths: WorkspacePaths;
  /** The input text that brings about the step's behaviour, when it has one. */
  readonly behaviourText: string | undefined;
  /** Called with each text that was replaced, so that its echo is recognised. */
  onTextReplaced(recorded: string, live: string): void;
}

/**
 * The frame to send for a recorded one: minted values and paths replaced, every other byte as recorded, so that
 * white space, member order and number spelling stay those of the recording.
 */
export function liveClientFrame(step: ClientStep, rules: FrameRules): string {
  let replacedText = false;
  const line = rewriteStrings(step.raw, (path, value) => {
    if (path[0] !== 'params') return undefined;
    const name = lastName(path);
    if (rules.behaviourText !== undefined && path[1] === 'input' && name === 'text') {
      const live = replacedText ? value : rules.behaviourText;
      replacedText = true;
      rules.onTextReplaced(value, live);
      return live;
    }
    if (FREE_TEXT_MEMBERS.has(name)) return undefined;
    if (rules.ids === 'recorded') return rules.bindings.liveOf(value, menuAt(path));
    if (isClientMinted(step.method, path)) return mintedFor(value, idKind(name), rules.bindings);
    if (name === 'workspaceRoot' || path[1] === 'workspaceRoots') return rules.paths.rootFor(value);
    return rules.bindings.liveOf(value, menuAt(path), idKind(name)) ?? rules.paths.live(value);
  });
  return step.method === 'approval/decide' ? withLiveStage(line, step, rules.bindings) : line;
}

/** A decision names the stage by the server's own number for it. */
function withLiveStage(line: string, { params }: ClientStep, bindings: Bindings): string {
  const requirement = params['requirementId'];
  const live = isRecord(requirement)
    ? bindings.stageOf(requirement['approvalId'], requirement['sourceIndex'])
    : undefined;
  return live === undefined ? line : replaceValue(line, ['params', 'requirementId', 'sourceIndex'], live);
}

/** Values that the client makes up: the command's id, a session id at its start, an upload's id. */
function isClientMinted(method: string | undefined, path: readonly (string | number)[]): boolean {
  if (path.length !== 2) return false;
  if (path[1] === 'commandId') return true;
  if (path[1] === 'sessionId') return method === 'session/start';
  return path[1] === 'uploadId' && method === 'media/upload';
}

function mintedFor(recorded: string, kind: string, bindings: Bindings): string | undefined {
  const known = bindings.pairedWith(recorded, kind);
  if (known !== undefined || !isMintedAnew(recorded)) return known;
  const fresh = mintUuid();
  bindings.pair(recorded, fresh, kind);
  return fresh;
}

/**
 * Only what was meant as a UUIDv7 is minted anew: a recording that sends something else means it. Variant bits are
 * not looked at, since ids written by hand seldom have them.
 */
export function isMintedAnew(recorded: string): boolean {
  return MEANT_AS_UUID_V7.test(recorded);
}

const MEANT_AS_UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function lastName(path: readonly (string | number)[]): string {
  const names = path.filter((step) => typeof step === 'string');
  return names.at(-1) ?? '';
}
