import type { Probe } from './probe.js';
import { readSession, type ViewEvent, type ViewReading } from './view.js';

/** What a command's session shows now. Undefined for a command whose session is not known. */
export async function readingOf(
  probe: Probe,
  sessionId: string | undefined,
): Promise<ViewReading | undefined> {
  return sessionId === undefined ? undefined : readSession(probe.stage.exchange, sessionId);
}

/** The events of `readingOf`; none where the session cannot be read. */
export async function shownOn(probe: Probe, sessionId: string | undefined): Promise<readonly ViewEvent[]> {
  const reading = await readingOf(probe, sessionId);
  return reading?.kind === 'read' ? reading.events : [];
}
