import type { CheckDefinition } from './definition.js';
import { IDEMPOTENCY_CRASH_CHECKS } from './idempotency-crash.js';

/** One commandId, one effect, one answer: within one life of the host. */
const LIVE_CHECKS = [
  {
    id: 'idempotency/replay-answered',
    severity: 'must',
    title: 'A replay is answered',
    requirement: 'A command sent again under its commandId gets an answer.',
    source: 'Commands and idempotency: exactly-once effect',
    explanation: 'A client that replays has lost the first answer and waits for this one.',
    typicalMistake:
      'Dropping a known commandId silently, or waiting for the first attempt’s connection, which is gone.',
    howToSee: 'Send a command twice under two request ids and wait for both answers.',
  },
  {
    id: 'idempotency/duplicate-ack-identical',
    severity: 'must',
    title: 'The duplicate’s ack is the first ack',
    requirement: 'The same commandId with the same payload is answered with a value-identical ack.',
    source: 'Commands and idempotency: exactly-once effect',
    explanation:
      'Same members, same values, recursively. A client cannot and need not tell a first ack from a replayed one.',
    typicalMistake:
      'Computing the ack again from the present state (a status, a time, a cursor that has moved on), or adding a duplicate flag.',
    howToSee: 'Send a command twice under two request ids and compare the results.',
  },
  {
    id: 'idempotency/duplicate-single-effect',
    severity: 'must',
    title: 'The duplicate has no effect',
    requirement: 'A command that is submitted twice is applied once.',
    source: 'Commands and idempotency: exactly-once effect',
    explanation: 'Effects are counted on the durable view: no second turn, message, goal change or session.',
    typicalMistake:
      'Replaying the ack and running the handler nevertheless; no ledger at all; a session/start that is not looked up in it.',
    howToSee: 'Send turn/start twice and count turn/started on view/page.',
  },
  {
    id: 'idempotency/reordered-is-duplicate',
    severity: 'must',
    title: 'Member order does not matter',
    requirement: 'The same payload with members in another order or other white space is the same payload.',
    source: 'Commands and idempotency: payload identity',
    explanation: 'Serializers do not keep an order; identity is of values.',
    typicalMistake: 'Hashing the raw bytes of the request, or its JSON text without sorting the members.',
    howToSee: 'Send a command again with its params written in reverse order.',
  },
  {
    id: 'idempotency/pipelined-single-effect',
    severity: 'must',
    title: 'Two equal lines in one write run once',
    requirement:
      'A command that is written twice before its ack is applied once and acknowledged twice alike.',
    source: 'Commands and idempotency: exactly-once effect (a duplicated line)',
    explanation: 'The second line may arrive while the first is being admitted; that window must be closed.',
    typicalMistake: 'Checking the ledger, awaiting something, and writing the ledger.',
    howToSee: 'Write the same turn/start twice in one write.',
  },
  {
    id: 'idempotency/reconnect-duplicate',
    severity: 'must',
    title: 'A new connection does not forget',
    requirement: 'A commandId replayed on another connection of the same host is a duplicate.',
    source: 'Commands and idempotency: durable dedupe (not connection state)',
    explanation: 'Lost connections are the very reason for replays.',
    typicalMistake:
      'Keeping the ledger in the connection object, or dropping a command that is under way when its connection goes.',
    howToSee: 'Send a command, reconnect, send it again, and compare.',
  },
  {
    id: 'idempotency/conflict-rejected',
    severity: 'must',
    title: 'A changed payload is a conflict',
    requirement:
      'A known commandId with a different payload is rejected as commandRejected with reason command_id_conflict.',
    source: 'Commands and idempotency: payload identity',
    explanation: 'It is a bug of the client. Answering the old ack hides it; running it breaks exactly-once.',
    typicalMistake: 'Looking up the id without comparing the payload, or comparing top-level members only.',
    howToSee: 'Send turn/start twice with one commandId and two texts.',
  },
  {
    id: 'idempotency/conflict-no-effect',
    severity: 'must',
    title: 'A conflict changes nothing',
    requirement: 'A command that is rejected as a conflict has no effect.',
    source: 'Commands and idempotency: payload identity',
    explanation: 'The durable view before and after the conflict is the same.',
    typicalMistake: 'Rejecting after the handler ran, or letting it run and answering the old ack.',
    howToSee: 'Page the session before and after a conflict.',
  },
  {
    id: 'idempotency/original-survives-conflict',
    severity: 'must',
    title: 'The original still replays after a conflict',
    requirement: 'After a conflict the original payload is answered with its original ack.',
    source: 'Commands and idempotency: payload identity (originally captured signature)',
    explanation: 'The comparison is always with the first payload; a conflict does not replace it.',
    typicalMistake: 'Overwriting the stored signature or the stored answer with the conflict’s.',
    howToSee: 'Send original, conflict, original, and compare the first answer with the last.',
  },
  {
    id: 'idempotency/conflict-false-alarm',
    severity: 'must',
    title: 'The same payload is no conflict',
    requirement: 'The same commandId with the same payload is never rejected as a conflict.',
    source: 'MSP errors: commandRejected; commands and idempotency: payload identity',
    explanation:
      'A retry would be taken for a bug, and the client would mint a new id and do the work twice.',
    typicalMistake: 'Including the request id or a time stamp in the signature.',
    howToSee: 'Send a command twice unchanged.',
  },
  {
    id: 'idempotency/rejection-replayed',
    severity: 'must',
    title: 'A rejection is replayed',
    requirement:
      'A durably rejected commandId is answered with the same rejection, without being tried again.',
    source: 'Commands and idempotency: rejections are idempotent too',
    explanation:
      'Had the retry been run, the state might have changed meanwhile and the command succeed late.',
    typicalMistake:
      'Recording accepted commands only, so that the retry is decided anew, or giving another reason the second time.',
    howToSee: 'Clear a goal that does not exist, set one, and replay the first command.',
  },
  {
    id: 'idempotency/missing-command-id',
    severity: 'must',
    title: 'A command without id is refused',
    requirement: 'A state-changing request without commandId is refused as invalidParams and admits nothing.',
    source: 'Commands and idempotency: the server never mints one',
    explanation: 'An id minted by the server would be unknown to the client and useless for a retry.',
    typicalMistake: 'Minting an id when none is given.',
    howToSee: 'Send turn/start without commandId.',
  },
  {
    id: 'idempotency/malformed-command-id',
    severity: 'should',
    title: 'A commandId is a UUIDv7',
    requirement: 'A commandId that is null or no UUIDv7 is refused.',
    source: 'Commands and idempotency: commandId',
    explanation:
      'Clients mint UUIDv7; what a server does with other texts is not stated, so acceptance warns.',
    typicalMistake: 'Treating the id as any string, so that a client’s mistake goes unnoticed.',
    howToSee: 'Send turn/start with the commandId "abc".',
  },
  {
    id: 'idempotency/turn-id-is-command-id',
    severity: 'must',
    title: 'A fresh turn has the command’s id',
    requirement: 'The turnId of a freshly started turn is the commandId that submitted it.',
    source: 'Commands and idempotency: how turn ids are minted',
    explanation: 'Ack, turn/started and the turn’s items carry one string, so no join table is needed.',
    typicalMistake: 'Minting a turn id of its own.',
    howToSee: 'Start a turn on an idle session and compare turnId with commandId.',
  },
  {
    id: 'idempotency/ack-echoes-command-id',
    severity: 'must',
    title: 'An ack echoes the commandId',
    requirement: 'The ack of a command carries the commandId exactly as it was sent.',
    source: 'Commands and idempotency: the command model',
    explanation: 'Request ids differ between attempts; the commandId is what links an ack to a command.',
    typicalMistake: 'Echoing the id of the command that was found, or changing its case.',
    howToSee: 'Compare result.commandId with params.commandId.',
  },
  {
    id: 'idempotency/unspecified-id-reuse',
    severity: 'should',
    title: 'The id on another method or session',
    requirement: 'The documents do not say what a commandId reused on another method or session gets.',
    source: 'Commands and idempotency: payload identity (scope left open)',
    explanation: 'A conflict is the safe answer. Whatever the server does is reported and never fails.',
    typicalMistake: 'A ledger per method, in which a reused id goes unnoticed.',
    howToSee: 'Rename a session, then start a turn in it under the commandId of the rename.',
  },
  {
    id: 'idempotency/unspecified-payload-change',
    severity: 'note',
    title: 'Changes whose meaning is open',
    requirement:
      'The documents do not say whether an explicit default or an unknown member changes a payload.',
    source: 'Commands and idempotency: payload identity (signature left open)',
    explanation: 'Treating the request as a duplicate or as a conflict is reported as the server’s choice.',
    typicalMistake: 'None: either reading is conformant. It helps clients to be told which one a server has.',
    howToSee: 'Replay a command with an unknown member added.',
  },
  {
    id: 'idempotency/carrierless-no-new-effect',
    severity: 'must',
    title: 'A replayed stop hits nothing new',
    requirement:
      'A cancel, interrupt or stop with an explicit target, replayed, is answered and has no new effect.',
    source: 'Commands and idempotency: ruled exceptions to the durable ledger',
    explanation:
      'These are not in the durable ledger; the explicit target keeps a replay from stopping newer work.',
    typicalMistake: 'Resolving the running turn anew instead of looking at the named one.',
    howToSee: 'Cancel a turn, restart, start another turn, and replay the cancel.',
  },
] as const satisfies readonly CheckDefinition[];

export const IDEMPOTENCY_CHECKS = [...LIVE_CHECKS, ...IDEMPOTENCY_CRASH_CHECKS] as const;
