import type { CheckDefinition } from './definition.js';

/** The recorded exchange against the live server. */
export const REPLAY_CHECKS = [
  {
    id: 'replay/response-matches',
    severity: 'must',
    title: 'The response is the recorded one',
    requirement:
      'A request is answered as recorded, after ids and cursors are bound and passing values set aside.',
    source: 'MSP conformance: replaying transcripts',
    explanation: 'Everything that is not an id, a time or the like is compared deeply, member by member.',
    typicalMistake: 'A missing member, another error kind, or a success where an error is due.',
    howToSee: 'Send the request of the step by hand and compare.',
  },
  {
    id: 'replay/event-matches',
    severity: 'must',
    title: 'The recorded events arrive',
    requirement:
      'Each recorded notification arrives in the order of its session’s cursors and with the recorded content.',
    source: 'MSP conformance: replaying transcripts; framing: one total order',
    explanation:
      'Acks tell of admission only. What happened is told by events, so a missing one is a missing effect.',
    typicalMistake: 'An effect that is done and never told on the view.',
    howToSee: 'Replay the scenario and read the view with view/page.',
  },
  {
    id: 'replay/server-request-matches',
    severity: 'must',
    title: 'The recorded server requests arrive',
    requirement: 'Each recorded server request arrives with the recorded content.',
    source: 'MSP approvals: server requests',
    explanation: 'A prompt that never comes leaves a turn parked for ever.',
    typicalMistake: 'Emitting the view event without the request.',
    howToSee: 'Run the scenario’s turn and wait for the request.',
  },
  {
    id: 'replay/unexpected-frame',
    severity: 'must',
    title: 'No frame besides the recorded ones',
    requirement: 'Under exact matching a server sends the recorded frames and no others.',
    source: 'MSP conformance: replay is exact for seeded hosts',
    explanation: 'For seeded hosts only. Conformant matching lets additional notifications through.',
    typicalMistake: 'A status broadcast that the recording host did not send.',
    howToSee: 'Run with `--match conformant` to see whether only extra frames are the matter.',
  },
  {
    id: 'replay/answered',
    severity: 'must',
    title: 'The request is answered',
    requirement: 'Each request of the scenario is answered.',
    source: 'MSP envelope and ids: requests',
    explanation: 'A missing answer is tried again alone and with more time before it counts.',
    typicalMistake: 'A handler that waits for an event which never comes.',
    howToSee: 'Send the request of the step by hand.',
  },
  {
    id: 'replay/slow',
    severity: 'note',
    title: 'The answer took longer than the limit',
    requirement: 'Time alone accuses nobody; an answer that came late is mentioned.',
    source: 'Rule of this tool: no verdict by time alone',
    explanation:
      'The first attempt ran into the limit and a second, with three times the limit, was answered.',
    typicalMistake: 'None; often a busy machine.',
    howToSee: 'Raise `--timeout`.',
  },
  {
    id: 'replay/scenario-completed',
    severity: 'must',
    title: 'The scenario runs to its end',
    requirement: 'Every step of the scenario can be carried out.',
    source: 'MSP conformance: replaying transcripts',
    explanation: 'A scenario that stopped midway has not shown what it is there to show.',
    typicalMistake: 'A connection that ended, or an id that later steps need and that never arrived.',
    howToSee: 'Look at the first failed step of the scenario.',
  },
] as const satisfies readonly CheckDefinition[];
