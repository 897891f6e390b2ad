import { describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';
import { differencesAt, matchContext, pathsOf } from './testing/match-context.js';

const text = (value: unknown) => JSON.stringify(value);

describe('a menu is paired by what its entries are', () => {
  const choice = (choiceId: string, decision: string, scope = 'once', label = choiceId) => ({
    choiceId,
    decision,
    scope,
    label,
  });
  const menu = (...availableChoices: unknown[]) => text({ availableChoices });

  it('in whatever order, under whatever ids and labels', () => {
    const context = matchContext();
    const recorded = menu(choice('allow', 'approved'), choice('no', 'denied'));
    const live = menu(
      choice('c-9', 'denied'),
      choice('c-7', 'approved'),
      choice('c-1', 'approved', 'session'),
    );
    expect(differencesAt('request approval/request', recorded, live, context)).toEqual([]);
    expect(context.bindings.liveOf('allow', 'choice')).toBe('c-7');
    expect(context.bindings.liveOf('no', 'choice')).toBe('c-9');
  });

  it('and an entry without a counterpart stands for nothing', () => {
    const context = matchContext();
    const live = menu(choice('c-7', 'approved'));
    expect(differencesAt('request approval/request', menu(choice('stop', 'abort')), live, context)).toEqual(
      [],
    );
    expect(context.bindings.liveOf('stop', 'choice')).toBeUndefined();
  });

  it('whose ids are no words elsewhere', () => {
    const context = matchContext();
    differencesAt(
      'request approval/request',
      menu(choice('denied', 'denied')),
      menu(choice('c-9', 'denied')),
      context,
    );
    const resolved = text({ decision: 'denied' });
    expect(differencesAt('event approval/resolved', resolved, resolved, context)).toEqual([]);
  });

  it('of questions and options, as far as both go', () => {
    const context = matchContext();
    const prompt = (id: string, ...labels: string[]) =>
      text({ questions: [{ id, header: id, question: '?', options: labels.map((label) => ({ label })) }] });
    expect(
      differencesAt('request userInput/request', prompt('q1', 'Yes', 'No'), prompt('mood', 'Aye'), context),
    ).toEqual([]);
    expect(context.bindings.liveOf('q1', 'question')).toBe('mood');
    expect(context.bindings.liveOf('Yes', 'option')).toBe('Aye');
    expect(context.bindings.liveOf('No', 'option')).toBeUndefined();
    const answered = (questionId: string, selectedLabel: string) =>
      text({ answers: [{ questionId, selectedLabel }] });
    expect(
      differencesAt('event userInput/settled', answered('q1', 'Yes'), answered('mood', 'Aye'), context),
    ).toEqual([]);
    expect(
      pathsOf(
        differencesAt('event userInput/settled', answered('q1', 'Yes'), answered('mood', 'Yes'), context),
      ),
    ).toEqual(['changed /answers/0/selectedLabel']);
  });

  it('of models: the active one and the others', () => {
    const context = matchContext();
    const model = (modelId: string, isActive: boolean) => ({
      modelId,
      providerId: `of ${modelId}`,
      isActive,
    });
    const recorded = text({ models: [model('large', true), model('small', false), model('tiny', false)] });
    const live = text({ models: [model('b', false), model('a', true)] });
    expect(differencesAt('result model/list', recorded, live, context)).toEqual([]);
    expect(['large', 'small', 'tiny'].map((id) => context.bindings.liveOf(id, 'model'))).toEqual([
      'a',
      'b',
      undefined,
    ]);
  });
});

describe('a list of sessions is paired by id', () => {
  const list = (...ids: string[]) =>
    text({ sessions: ids.map((sessionId) => ({ sessionId, status: 'idle' })), nextCursor: null });
  const bound = () => {
    const bindings = new Bindings();
    bindings.pair('s1', 'S1');
    bindings.pair('s2', 'S2');
    return bindings;
  };

  it('in whatever order, with others between', () => {
    const found = differencesAt(
      'result session/list',
      list('s1', 's2'),
      list('S9', 'S2', 'S1'),
      matchContext({ bindings: bound() }),
    );
    expect(found).toEqual([]);
  });

  it('and a session that is not listed is missing', () => {
    const found = differencesAt(
      'result session/list',
      list('s1', 's2'),
      list('S1'),
      matchContext({ bindings: bound() }),
    );
    expect(pathsOf(found)).toEqual(['missing /sessions/1']);
  });

  it('which an ephemeral host does not have', () => {
    const context = matchContext({ bindings: bound(), isEphemeral: true });
    expect(differencesAt('result session/list', list('s1'), list(), context)).toEqual([]);
  });
});

describe('a page of the view holds the recorded events that are owed', () => {
  const event = (method: string, params: Record<string, unknown>) => ({ method, params });
  const started = (turnId: string, viewCursor: string) => event('turn/started', { turnId, viewCursor });
  const completed = (turnId: string, viewCursor: string, terminal = 'completed') =>
    event('turn/completed', { turnId, viewCursor, terminal });
  const item = (kind: string, viewCursor: string) =>
    event('item/completed', {
      viewCursor,
      item: { itemId: viewCursor, kind, status: 'completed', revision: 1, turnId: null },
    });
  const goal = (objective: string, viewCursor: string) =>
    event('session/goalChanged', { viewCursor, goal: { objective } });
  const page = (events: unknown[], nextCursor: string | null = null) => text({ events, nextCursor });
  const found = (recorded: string, live: string, context = matchContext()) =>
    pathsOf(differencesAt('result view/page', recorded, live, context));

  const whole = [
    started('t', 'v1'),
    item('userMessage', 'v2'),
    item('agentMessage', 'v3'),
    completed('t', 'v4'),
  ];

  it('and may hold others between, and lack those that are not owed', () => {
    const live = [
      started('T', 'a'),
      event('vendor/mood', { viewCursor: 'b' }),
      item('userMessage', 'c'),
      completed('T', 'd'),
    ];
    expect(found(page(whole), page(live))).toEqual([]);
  });

  it('one that is not there is missing', () => {
    expect(found(page(whole), page([started('T', 'a'), completed('T', 'd')]))).toEqual(['missing /events/1']);
  });

  it('one that differs is shown where it stands in the live page', () => {
    const live = [
      started('T', 'a'),
      item('userMessage', 'c'),
      item('reasoning', 'x'),
      completed('T', 'd', 'failed'),
    ];
    expect(found(page(whole), page(live))).toEqual(['changed /events/3/params/terminal']);
  });

  it('an event of another turn does not stand for it', () => {
    const bindings = new Bindings();
    bindings.pair('t', 'T', 'turnId');
    bindings.pair('u', 'U', 'turnId');
    expect(found(page([started('t', 'v1')]), page([started('U', 'a')]), matchContext({ bindings }))).toEqual([
      'missing /events/0',
    ]);
  });

  it('in the recorded order, those of one method', () => {
    const sent = new Set(['first', 'second']);
    const recorded = page([goal('first', 'v1'), goal('second', 'v2')]);
    expect(
      found(
        recorded,
        page([goal('first', 'a'), goal('first', 'b'), goal('second', 'c')]),
        matchContext({ sent }),
      ),
    ).toEqual([]);
    expect(found(recorded, page([goal('second', 'a'), goal('first', 'b')]), matchContext({ sent }))).toEqual([
      'missing /events/1',
    ]);
  });

  it('unless the server cuts its pages elsewhere', () => {
    const bindings = new Bindings();
    bindings.pair('v4', 'd');
    const context = matchContext({ bindings });
    const first = page([started('T', 'a'), item('userMessage', 'c'), completed('T', 'd')], 'more');
    expect(found(page(whole.slice(0, 2), 'v2'), first, context)).toEqual([]);
    expect(found(page(whole.slice(2)), page([]), context)).toEqual([]);
    expect(found(page(whole), page([started('T', 'a')], 'more'), matchContext())).toEqual([]);
  });

  it('exact mode takes it element by element', () => {
    expect(
      found(page(whole), page([whole[0], ...whole.slice(2)]), matchContext({ mode: 'exact' })),
    ).not.toEqual([]);
  });
});
