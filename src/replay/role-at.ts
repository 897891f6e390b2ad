import type { ExactObject } from '../wire/exact-json.js';
import type { Bindings } from './bindings.js';
import type { MatchContext, Path } from './match.js';
import { DOCUMENTED_REASONS, type MemberRole, memberRole } from './members.js';
import type { SchemaNode } from './schema-node.js';

/** The role of a member in these two objects, where the table's word for it depends on what stands beside it. */
export function roleAt(
  recorded: ExactObject,
  live: ExactObject,
  node: SchemaNode | undefined,
  at: Path,
  context: MatchContext,
): MemberRole {
  const name = String(at.at(-1));
  switch (`${node?.definition}.${name}`) {
    case 'Item.text':
      return textRole(recorded, context);
    case 'ErrorData.reason':
      return [recorded[name], live[name]].some((reason) => DOCUMENTED_REASONS.has(String(reason)))
        ? 'equal'
        : 'own';
    case 'Session.status':
    case 'Session.activeTurnId':
      return isOtherMoment(recorded, live, context.bindings) ? 'own' : memberRole('Session', name);
    case 'TurnCompletedParams.terminal':
    case 'TurnCompletedParams.error':
    case 'LastTurn.terminal':
      return context.diedTurns.has(String(recorded['turnId'])) ? 'own' : 'equal';
    case 'InitializeResult.experimentalApi':
      // A host may keep its experimental surfaces shut; it may not open them unasked.
      return recorded[name] === true ? 'own' : 'equal';
    case 'EffectiveApprovalModeState.lastCommandId':
      // Where the mode was the wanted one already, no command has set it.
      return recorded[name] === null || live[name] === null ? 'own' : 'minted';
    case 'EffectiveApprovalModeState.mode':
      // A mode that no command has set is the server's default.
      return at.at(-2) === 'effectiveMode' || typeof recorded['lastCommandId'] === 'string' ? 'equal' : 'own';
    default:
      return memberRole(node?.definition, name);
  }
}

function textRole(item: ExactObject, context: MatchContext): MemberRole {
  if (item['kind'] === 'userMessage') return 'echo';
  const isEcho = item['kind'] === 'agentMessage' && context.isEchoTurn(String(item['turnId']));
  return isEcho ? 'equal' : 'own';
}

/**
 * True when two views of a session differ only in the moment at which they were taken: the turn that ran then is over,
 * or a turn runs that nobody asked for, or the session is loaded without having been asked for.
 */
function isOtherMoment(recorded: ExactObject, live: ExactObject, bindings: Bindings): boolean {
  const from = recorded['status'];
  const to = live['status'];
  const runs = live['activeTurnId'];
  if (to === 'idle') return runs === null && (from === 'running' || from === 'notLoaded');
  return (
    to === 'running' &&
    from !== 'running' &&
    typeof runs === 'string' &&
    bindings.recordedOf(runs) === undefined
  );
}
