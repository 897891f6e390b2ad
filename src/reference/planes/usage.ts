import { query } from '../admission.js';
import type { Method } from '../method.js';
import type { SessionHost } from '../session.js';

export const USAGE_METHODS: readonly Method[] = [
  query('usage/read', ({ host }) => (host.subscriptionUsage ? { usage: host.subscriptionUsage } : {})),
];

const WINDOW_MINUTES = 300;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The provider told how much of the subscription is used; each observation finds one percent more. */
export function observeUsage(host: SessionHost): void {
  const observedAtMs = host.clock.now();
  const before = host.subscriptionUsage?.['weekly'] as { usedPercent: number } | undefined;
  const usedPercent = (before?.usedPercent ?? 0) + 1;
  host.subscriptionUsage = {
    observedAtMs,
    tier: 'reference',
    window: {
      usedPercent,
      resetsAtMs: observedAtMs + WINDOW_MINUTES * 60_000,
      windowDurationMins: WINDOW_MINUTES,
    },
    weekly: { usedPercent, resetsAtMs: observedAtMs + WEEK_MS },
  };
  host.broadcast('usage/changed', host.subscriptionUsage);
}
