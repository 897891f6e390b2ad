import type { SessionHost } from '../session.js';
export function observeUsage(_host: SessionHost): void {}
