import { lstatSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { query } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, ProtocolError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Method } from '../method.js';

export const FEEDBACK_METHODS: readonly Method[] = [
  query('feedback/submit', submit, { capability: 'feedback' }),
];

const LARGEST_BUNDLE_BYTES = 64 * 1024 * 1024;

interface Report {
  readonly classification: string;
  readonly note: string;
  readonly withFiles: boolean;
  readonly sessionId?: string;
  readonly attachSessionRecord?: boolean;
  readonly clientArtifactsPath?: string;
}

/** Keeps the report on this machine; nothing is uploaded from a reference server. */
async function submit(call: Call): Promise<JsonObject> {
  const report = call.params as unknown as Report;
  assertConsistent(report);
  const session = report.sessionId === undefined ? undefined : call.host.sessions.get(report.sessionId);
  if (report.sessionId !== undefined && !session) {
    const { sessionId } = report;
    throw new ProtocolError('sessionNotLoaded', `session ${sessionId} is not loaded`, { sessionId });
  }
  const isAttached = report.attachSessionRecord === true;
  const receipt = { sessionRecordAttached: isAttached, sessionRecordTruncated: false };
  if (call.host.isEphemeral)
    return { outcome: 'disabled', bundlePath: '', ...receipt, sessionRecordAttached: false };
  const folder = session ? dirname(session.log.path) : call.host.options.stateDir;
  const bundlePath = join(folder, 'feedback', `${call.host.ids.next()}.json`);
  await mkdir(dirname(bundlePath), { recursive: true });
  await writeFile(
    bundlePath,
    JSON.stringify({ ...report, session: isAttached ? session?.toObject() : undefined }),
  );
  return { outcome: 'recorded', bundlePath, ...receipt };
}

function assertConsistent(report: Report): void {
  const { classification, note, withFiles, sessionId, attachSessionRecord, clientArtifactsPath } = report;
  if (classification === 'bug' && note.trim() === '') throw invalidParams('note: a bug needs one');
  const isAboutFailure = classification === 'bug' || classification === 'badResult';
  if (attachSessionRecord === true && !(withFiles && isAboutFailure && sessionId !== undefined)) {
    throw invalidParams('attachSessionRecord: needs withFiles, a sessionId, and the class bug or badResult');
  }
  if (clientArtifactsPath !== undefined && !isBundle(clientArtifactsPath)) {
    throw invalidParams(
      'clientArtifactsPath: expected the absolute path of a regular file that is not too large',
    );
  }
}

function isBundle(path: string): boolean {
  const stat = isAbsolute(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  return stat?.isFile() === true && stat.size <= LARGEST_BUNDLE_BYTES;
}
