import type { Session } from '../session.js';
export function spawnSubagent(_session: Session, _turnId: string, _text: string): void {}
