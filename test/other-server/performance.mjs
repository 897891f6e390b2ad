import { setTimeout as delay } from 'node:timers/promises';
import { itemId, opaqueId, timestamp } from './ids.mjs';

/** @typedef {import('./session.mjs').Session} Session */
/** @typedef {import('./fold.mjs').Turn} Turn */
/** @typedef {import('./journal.mjs').Entry} Entry */

/** What makes the stand-in for a model do something; see the README. */
const CUES = [
  { name: 'slow', phrase: 'please take your time' },
  { name: 'fail', phrase: 'break please' },
  { name: 'approval', phrase: 'ask me first', isOptional: true },
  { name: 'question', phrase: 'any questions?', isOptional: true },
  { name: 'echo', phrase: 'repeat after me' },
];

/** The entries that open a turn: it runs, and the user's message is on the transcript. @param {Session} session @param {Turn & { attachments?: any[] }} turn @returns {Entry[]} */
export function openingEntries(session, turn) {
  const { turnId, commandId, text, displayText, attachments } = turn;
  const item = {
    itemId: itemId(),
    kind: 'userMessage',
    turnId,
    commandId,
    text,
    revision: 1,
    status: 'completed',
  };
  return [
    { t: 'running', turn },
    session.event('turn/started', { turnId, commandId }),
    session.event('item/completed', {
      item: {
        ...item,
        recordedAt: timestamp(),
        ...(displayText === undefined ? {} : { displayText }),
        ...(attachments === undefined ? {} : { attachments }),
      },
    }),
  ];
}

/** Launches the oldest queued turn, if the session is free. @param {Session} session */
export function launchNext(session) {
  const { state, host } = session;
  const turn = state.turns.get(state.queue[0] ?? '');
  if (turn === undefined || state.activeTurnId !== null || host.isDraining) return;
  session.commit(openingEntries(session, turn));
  perform(session, turn);
}

/** @param {Session} session @param {Turn} turn */
export function perform(session, turn) {
  session.performance = new Performance(session, turn);
  session.performance.play().catch((error) => session.host.fail(error));
}

/** The running of one turn; nothing of it survives the process but what it committed. */
export class Performance {
  /** @param {Session} session @param {Turn} turn */
  constructor(session, turn) {
    this.session = session;
    this.turn = turn;
    this.stopping = new AbortController();
    /** @type {{ itemId: string, text: string } | undefined} an agent message that only deltas told of so far */
    this.open = undefined;
  }

  stop() {
    this.stopping.abort();
  }

  async play() {
    const { host } = this.session;
    const cue = CUES.find(
      ({ phrase, isOptional }) => this.turn.text.includes(phrase) && !(isOptional && host.isMinimal),
    );
    if (!(await this.pause(host.latencyMs))) return;
    this.session.commit(this.thinking());
    if (!(await this.pause(host.latencyMs))) return;
    if (cue?.name === 'fail') return this.fail();
    if (cue?.name === 'approval') return this.askApproval();
    if (cue?.name === 'question') return this.askQuestion();
    if (cue?.name === 'echo') return this.conclude(this.turn.text);
    if (cue?.name === 'slow') return this.dawdle(host.slowMs);
    return this.answer(['D', 'on', 'e.']);
  }

  /** @param {number} ms @returns {Promise<boolean>} whether the turn still runs */
  async pause(ms) {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    return !this.stopping.signal.aborted;
  }

  /** @returns {Entry[]} */
  thinking() {
    const { turnId } = this.turn;
    const base = { turnId, revision: 1, status: 'completed' };
    return [
      this.session.event('item/completed', {
        item: { ...base, itemId: itemId(), kind: 'reasoning', summary: ['Überlegt … 🤔'] },
      }),
      this.session.event('item/completed', {
        item: { ...base, itemId: itemId(), kind: 'x_vendorMood', fallbackText: 'in good spirits' },
      }),
      this.session.event('session/contextUsage', {
        usedTokens: 10 + this.turn.text.length,
        pressure: 'x_vendorCosy',
      }),
    ];
  }

  /** @param {string[]} pieces */
  async answer(pieces) {
    for (const piece of pieces) {
      this.say(piece);
      if (!(await this.pause(this.session.host.latencyMs))) return;
    }
    this.conclude(pieces.join(''));
  }

  /** @param {number} ms */
  async dawdle(ms) {
    const pieces = ['Taking', ' my time', ' … ', 'schön ', 'langsam', ' 🐢', ' … ', 'there.'];
    for (const piece of pieces) {
      this.say(piece);
      if (!(await this.pause(ms / pieces.length))) return;
    }
    this.conclude(pieces.join(''));
  }

  /** @param {string} piece */
  say(piece) {
    if (this.open === undefined) {
      this.open = { itemId: itemId(), text: '' };
      const { itemId: id } = this.open;
      this.session.whisper('item/started', {
        item: {
          itemId: id,
          kind: 'agentMessage',
          turnId: this.turn.turnId,
          revision: 1,
          status: 'inProgress',
        },
      });
    }
    const isSpelledOut = this.open.text.length % 2 === 1;
    this.open.text += piece;
    this.session.whisper('item/delta', {
      itemId: this.open.itemId,
      delta: piece,
      ...(isSpelledOut ? { field: 'text' } : {}),
    });
  }

  /** @param {string} text */
  conclude(text) {
    this.finish([this.message(text, 'completed')], { terminal: 'completed' });
  }

  /** @param {string} text @param {string} status @returns {Entry} */
  message(text, status) {
    const item = {
      itemId: this.open?.itemId ?? itemId(),
      kind: 'agentMessage',
      turnId: this.turn.turnId,
      text,
      status,
    };
    const revision = this.open === undefined ? 1 : 2;
    this.open = undefined;
    return this.session.event('item/completed', { item: { ...item, revision } });
  }

  fail() {
    const error = { kind: 'environmentError', message: 'broke, as requested', retryable: false };
    this.finish([], { terminal: 'failed', error });
  }

  /** @param {Entry[]} entries @param {Record<string, any>} outcome */
  finish(entries, outcome) {
    const { session, turn } = this;
    session.performance = undefined;
    session.commit([
      ...entries,
      session.event('turn/completed', { turnId: turn.turnId, ...outcome }),
      { t: 'out', id: turn.commandId },
    ]);
    launchNext(session);
  }

  askApproval() {
    const { turnId } = this.turn;
    const approvalId = opaqueId('apv', turnId);
    const tool = { tool: 'shred', callId: `call/${turnId.slice(-4)}`, args: '{"what":"papers"}' };
    const item = {
      itemId: itemId(),
      kind: 'toolCall',
      turnId,
      revision: 1,
      status: 'inProgress',
      approvalId,
      ...tool,
    };
    const opened = this.session.event('item/started', { item });
    const requested = this.session.event('approval/requested', approvalBody(approvalId, item));
    this.openRequest('approval/request', opened, requested);
  }

  askQuestion() {
    const { turnId } = this.turn;
    const tool = { tool: 'inquire', callId: `call/${turnId.slice(-4)}`, args: '{}' };
    const item = { itemId: itemId(), kind: 'toolCall', turnId, revision: 1, status: 'inProgress', ...tool };
    const opened = this.session.event('item/started', { item });
    const requested = this.session.event('userInput/requested', {
      userInputId: opaqueId('ask', turnId),
      turnId,
      itemId: item.itemId,
      toolCallId: item.callId,
      toolName: item.tool,
      questions: [
        {
          id: 'q/tea',
          header: 'Refreshment',
          question: 'Tea, or rather coffee?',
          options: [{ label: 'Tea' }, { label: 'Coffee', description: 'black' }],
          selection: { mode: 'single' },
        },
      ],
    });
    this.openRequest('userInput/request', opened, requested);
  }

  /** The request goes out before the event that tells of it. @param {string} method @param {Entry} opened @param {Entry} requested */
  openRequest(method, opened, requested) {
    this.session.commit([opened, requested], 1);
    const [event] = this.session.held;
    if (event !== undefined)
      for (const follower of this.session.followers) follower.ask(method, this.session.render(event));
    this.session.release();
  }
}

/** @param {string} approvalId @param {any} item the tool call that waits @returns {Record<string, any>} */
export function approvalBody(approvalId, item) {
  return {
    approvalId,
    turnId: item.turnId,
    taskId: `task:${item.callId}`,
    itemId: item.itemId,
    toolCallId: item.callId,
    toolName: item.tool,
    rawArgs: item.args,
    subject: { kind: 'x_vendorShredder', toolName: item.tool },
    currentRequirementId: { approvalId, sourceIndex: 0 },
    availableChoices: [
      { choiceId: 'c-9', label: 'Rather not', decision: 'denied', scope: 'once', acceptsFeedback: true },
      { choiceId: 'c-7', label: 'Fine by me', decision: 'approved', scope: 'once' },
      { choiceId: 'c-11', label: 'Fine all day', decision: 'approvedForSession', scope: 'session' },
    ],
    protectedWrite: false,
    judgeEscalated: false,
  };
}
