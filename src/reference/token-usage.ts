import type { JsonObject } from './json.js';
import type { Run } from './run.js';
import type { Session } from './session.js';

/** The context window of every model in the catalogue, in tokens. */
export const CONTEXT_WINDOW_TOKENS = 200_000;
const WARNING_SHARE = 0.8;

/** What a turn's model call used: a token is a word. */
export function usageOf(run: Run): JsonObject {
  return {
    inputTokens: wordsIn(run.submission.text),
    outputTokens: run.outputTokens,
    cachedTokens: 0,
    reasoningTokens: 0,
  };
}

/** Puts a finished model call's usage on the view, and the occupancy of the context where it changed. */
export function reportUsage(session: Session, run: Run): void {
  const { state } = session;
  const promptTokens = wordsIn(run.submission.text);
  const totalTokens = promptTokens + run.outputTokens;
  const before = state.tokenUsage;
  session.emit('session/tokenUsage', {
    turnId: run.turnId,
    usage: usageOf(run),
    promptTokens,
    totalTokens,
    modelId: state.model.modelId,
    cumulative: {
      promptTokens: before.promptTokens + promptTokens,
      outputTokens: before.outputTokens + run.outputTokens,
      totalTokens: before.totalTokens + totalTokens,
    },
  });
  reportContext(session, usedTokens(session) + totalTokens);
}

/** Emits the occupancy of the context window if it differs from the last one that was told. */
export function reportContext(session: Session, used: number): void {
  if (session.state.contextUsage?.['usedTokens'] === used) return;
  session.emit('session/contextUsage', {
    windowTokens: CONTEXT_WINDOW_TOKENS,
    usedTokens: used,
    pressure: pressureOf(used),
  });
}

export function usedTokens(session: Session): number {
  return (session.state.contextUsage?.['usedTokens'] as number | undefined) ?? 0;
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function pressureOf(used: number): string {
  if (used >= CONTEXT_WINDOW_TOKENS) return 'blocked';
  return used >= CONTEXT_WINDOW_TOKENS * WARNING_SHARE ? 'warning' : 'normal';
}
