import { describe, expect, it } from 'vitest';
import { compareAnswers, describeAnswer, isAbandonment, isConflict, isRejection } from './compare-answers.js';
import { answer, rejected } from './testing/commands-sent.js';

const ACK = '{"commandId":"c","status":"accepted","budget":12345678901234567,"input":{"parts":[{"n":1}]}}';
const NO =
  '{"code":-32030,"message":"there is no goal","data":{"kind":"commandRejected","reason":"missing_goal","details":{"at":1}}}';

describe('a replayed answer is held against the first one', () => {
  it.each([
    [
      'members in another order',
      '{"status":"accepted","input":{"parts":[{"n":1}]},"budget":12345678901234567,"commandId":"c"}',
    ],
    ['white space', ACK.replaceAll(':', ' : ')],
    ['another spelling of one number', ACK.replace('"n":1}', '"n":1.0}')],
  ])('lets %s pass', (_what, again) => {
    expect(compareAnswers(answer('result', ACK), answer('result', again))).toEqual({
      differences: [],
      wordingDiffers: false,
    });
  });

  it.each([
    ['an added member', ACK.replace('{', '{"replayed":true,'), '/result/replayed', 'extra'],
    ['a member less', ACK.replace('"status":"accepted",', ''), '/result/status', 'missing'],
    ['a changed status', ACK.replace('accepted', 'duplicate'), '/result/status', 'changed'],
    ['a changed nested value', ACK.replace('"n":1', '"n":2'), '/result/input/parts/0/n', 'changed'],
    [
      'a number of 17 digits that drifted',
      ACK.replace('12345678901234567', '12345678901234568'),
      '/result/budget',
      'changed',
    ],
    ['a repeated member', ACK.replace('"status"', '"status":"accepted","status"'), '/result/status', 'extra'],
  ])('finds %s', (_what, again, path, kind) => {
    const { differences } = compareAnswers(answer('result', ACK), answer('result', again));
    expect(differences).toEqual([expect.objectContaining({ path, kind })]);
  });

  it('finds an error where a result was, and the other way round', () => {
    const paths = ['/result', '/error'];
    expect(
      compareAnswers(answer('result', ACK), answer('error', NO)).differences.map(({ path }) => path),
    ).toEqual(paths);
    expect(
      compareAnswers(answer('error', NO), answer('result', ACK)).differences.map(({ path }) => path),
    ).toEqual(paths.reverse());
  });

  it('takes the wording of an error for prose, and nothing else of it', () => {
    const reworded = compareAnswers(
      answer('error', NO),
      answer('error', NO.replace('there is no goal', 'no goal')),
    );
    expect(reworded).toEqual({ differences: [], wordingDiffers: true });
    const otherReason = compareAnswers(
      answer('error', NO),
      answer('error', NO.replace('missing_goal', 'missing_run')),
    );
    expect(otherReason.differences).toMatchObject([{ path: '/error/data/reason' }]);
    const otherDetail = compareAnswers(answer('error', NO), answer('error', NO.replace('"at":1', '"at":2')));
    expect(otherDetail.differences).toMatchObject([{ path: '/error/data/details/at' }]);
  });
});

describe('an answer is one of few kinds', () => {
  it.each([
    ['a conflict', rejected('command_id_conflict'), { conflict: true, rejection: true, abandonment: false }],
    [
      'a taken session id',
      rejected('session_id_conflict'),
      { conflict: false, rejection: true, abandonment: false },
    ],
    ['any other rejection', rejected('abandoned'), { conflict: false, rejection: true, abandonment: true }],
    [
      'a conflict under another code',
      answer(
        'error',
        '{"code":-32602,"message":"","data":{"kind":"commandRejected","reason":"command_id_conflict"}}',
      ),
      { conflict: false, rejection: true, abandonment: true },
    ],
    [
      'an error without a kind',
      answer('error', '{"code":-32030,"message":""}'),
      { conflict: false, rejection: false, abandonment: false },
    ],
    ['a result', answer('result', '{}'), { conflict: false, rejection: false, abandonment: false }],
  ])('%s', (_what, given, { conflict, rejection, abandonment }) => {
    expect([isConflict(given), isRejection(given), isAbandonment(given)]).toEqual([
      conflict,
      rejection,
      abandonment,
    ]);
  });

  it('is named in a sentence', () => {
    expect(describeAnswer(answer('result', '{}'))).toBe('a result');
    expect(describeAnswer(rejected('missing_run'))).toBe(
      'the error -32030 commandRejected, reason missing_run',
    );
    expect(describeAnswer(answer('error', '{"code":1,"message":""}'))).toBe('the error 1 without data.kind');
  });
});
