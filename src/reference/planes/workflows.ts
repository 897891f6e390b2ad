import type { Session } from '../session.js';
export function launchWorkflow(_session: Session, _turnId: string, _budget: number | undefined): void {}
