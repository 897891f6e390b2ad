import { describe, expect, it } from 'vitest';
import { differencesAt, pathsOf } from './testing/match-context.js';
import { ack, check } from './testing/match-rows.js';
import { session as sessionOf } from './testing/scenario.js';

const session = sessionOf('s1');

describe('what is compared for equality', () => {
  check([
    ['the same ack', 'result turn/start', ack, ack, []],
    [
      'another member order',
      'result turn/cancel',
      { commandId: 'c', status: 'accepted', turnId: 't' },
      { turnId: 't', status: 'accepted', commandId: 'c' },
      [],
    ],
    [
      'another disposition',
      'result turn/start',
      ack,
      { ...ack, disposition: 'queued' },
      ['changed /disposition'],
    ],
    [
      'another boolean',
      'result turn/start',
      ack,
      { ...ack, startedNewTurn: false },
      ['changed /startedNewTurn'],
    ],
    ['another type', 'result turn/start', ack, { ...ack, startedNewTurn: 'true' }, ['type /startedNewTurn']],
    [
      'another terminal',
      'event turn/completed',
      { terminal: 'completed' },
      { terminal: 'failed' },
      ['changed /terminal'],
    ],
    [
      'another goal',
      'event session/goalChanged',
      { goal: { objective: 'a' } },
      { goal: { objective: 'b' } },
      ['changed /goal/objective'],
    ],
    [
      'another receipt of a settled prompt',
      'event userInput/settled',
      { answers: [{ questionId: 'q', freeText: 'yes' }] },
      { answers: [] },
      ['missing /answers/0'],
    ],
    ['a list where an object was', 'result session/start', { session }, { session: [] }, ['type /session']],
    ['a null where an object was', 'result session/start', { session }, { session: null }, ['type /session']],
  ]);
});

describe('numbers are compared by their exact decimal value', () => {
  const limit = (text: string) =>
    `{"code":-32002,"message":"","data":{"kind":"inputTooLarge","limitBytes":${text}}}`;
  it.each([
    ['9007199254740993', '9007199254740993', []],
    ['9007199254740993', '9007199254740992', ['changed /data/limitBytes']],
    ['1', '1.0', []],
    ['1', '1e0', []],
    ['1', '1.0000000000000000001', ['changed /data/limitBytes']],
    ['1', '"1"', ['type /data/limitBytes']],
  ])('%s and %s', (recorded, live, differences) => {
    expect(pathsOf(differencesAt('error', limit(recorded), limit(live)))).toEqual(differences);
  });
});

describe('missing and additional members', () => {
  const error = (data?: unknown) => ({ code: -32030, message: '', ...(data !== undefined && { data }) });
  check([
    [
      'a required member',
      'result turn/start',
      ack,
      { ...ack, disposition: undefined },
      ['missing /disposition'],
    ],
    [
      'an optional member',
      'event turn/completed',
      { terminal: 'completed', durationMs: 1 },
      { terminal: 'completed' },
      [],
    ],
    ['a member that no definition knows', 'result turn/start', { ...ack, x: 1 }, ack, []],
    ['an additional member', 'result turn/start', ack, { ...ack, x_vendor: 1 }, []],
    [
      'the error of a failed turn',
      'event turn/completed',
      { terminal: 'failed', error: { kind: 'modelError' } },
      { terminal: 'failed' },
      ['missing /error'],
    ],
    [
      'another error of a failed turn',
      'event turn/completed',
      { terminal: 'failed', error: { kind: 'modelError' } },
      { terminal: 'failed', error: { kind: 'environmentError' } },
      [],
    ],
    ['an error’s data', 'error', error({ kind: 'commandRejected', reason: 'x' }), error(), ['missing /data']],
    [
      'a rejection’s reason',
      'error',
      error({ kind: 'commandRejected', reason: 'missing_goal' }),
      error({ kind: 'commandRejected' }),
      ['missing /data/reason'],
    ],
    [
      'a reason that no document asks for',
      'error',
      error({ kind: 'invalidParams', reason: 'bad' }),
      error({ kind: 'invalidParams' }),
      [],
    ],
    [
      'the needed capability',
      'error',
      error({ kind: 'capabilityRequired', capability: 'userShell' }),
      error({ kind: 'capabilityRequired' }),
      ['missing /data/capability'],
    ],
    ['the goal', 'event session/goalChanged', { goal: { objective: 'a' } }, {}, ['missing /goal']],
    ['no goal, said with null', 'event session/goalChanged', {}, { goal: null }, []],
    ['no goal, said by leaving it out', 'event session/goalChanged', { goal: null }, {}, []],
    [
      'a goal where there is none',
      'event session/goalChanged',
      {},
      { goal: { objective: 'a' } },
      ['extra /goal'],
    ],
    [
      'a goal where null was',
      'event session/goalChanged',
      { goal: null },
      { goal: { objective: 'a' } },
      ['type /goal'],
    ],
  ]);
});

describe('errors agree in code, kind and documented reason', () => {
  const rejected = (reason: string) => ({
    code: -32030,
    message: 'm',
    data: { kind: 'commandRejected', reason },
  });
  check([
    ['another code', 'error', rejected('x'), { ...rejected('x'), code: -32602 }, ['changed /code']],
    [
      'another kind',
      'error',
      rejected('x'),
      { code: -32030, message: '', data: { kind: 'internal', reason: 'x' } },
      ['changed /data/kind'],
    ],
    ['another word for the same', 'error', rejected('missing_goal'), rejected('no_goal_here'), []],
    ['the documented reason', 'error', rejected('command_id_conflict'), rejected('command_id_conflict'), []],
    [
      'not the documented reason',
      'error',
      rejected('command_id_conflict'),
      rejected('conflict'),
      ['changed /data/reason'],
    ],
    [
      'a documented reason out of place',
      'error',
      rejected('missing_goal'),
      rejected('command_id_conflict'),
      ['changed /data/reason'],
    ],
    [
      'who won a race',
      'error',
      {
        code: -32051,
        message: '',
        data: { kind: 'approvalAlreadyResolved', resolution: { decision: 'denied', resolvedBy: 'user' } },
      },
      {
        code: -32051,
        message: '',
        data: { kind: 'approvalAlreadyResolved', resolution: { decision: 'approved', resolvedBy: 'policy' } },
      },
      ['changed /data/resolution/decision'],
    ],
  ]);
});
