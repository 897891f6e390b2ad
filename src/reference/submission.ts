import type { Call } from './call.js';
import { invalidParams, ProtocolError } from './errors.js';
import { type JsonObject, present } from './json.js';
import type { Session } from './session.js';
import { expandSkill } from './skill-catalogue.js';
import type { Submission } from './state.js';

interface InputPart extends JsonObject {
  readonly type: 'text' | 'image' | 'skill' | 'video';
}

/**
 * Reads what a `turn/start` or `turn/steer` submits. Throws `invalidParams` for parts that do not hold together,
 * `skillNotFound` and `uploadNotFound` for what they name, `capabilityRequired` for a shell action without its grant.
 */
export function readSubmission(call: Call, session: Session): Submission {
  const { input, displayText, userShell, tokenBudget, workspaceRoots } = call.params as unknown as {
    input: readonly InputPart[];
    displayText?: string;
    userShell?: { commandText: string };
    tokenBudget?: number;
    workspaceRoots?: readonly string[];
  };
  if (userShell) assertShellAllowed(call, input);
  if (input.length === 0 && !userShell) throw invalidParams('input: expected at least one part');
  const texts = input.map((part, index) => textOf(part, index, session));
  const attachments = input.flatMap((part, index) => attachmentOf(part, index, session));
  return present({
    text: texts.join(''),
    displayText,
    attachments,
    userShell: userShell && shellText(userShell),
    tokenBudget,
    workspaceRoots,
  }) as unknown as Submission;
}

function assertShellAllowed(call: Call, input: readonly InputPart[]): void {
  const capability = 'userShell';
  if (!call.connection.agreement?.granted.has(capability)) {
    throw new ProtocolError('capabilityRequired', 'a shell action needs the capability userShell', {
      capability,
      retryable: false,
    });
  }
  const other = input.find(({ type }) => type === 'text' || type === 'skill');
  if (other) throw invalidParams(`input: a ${other.type} part cannot be given together with userShell`);
}

function shellText(userShell: { readonly commandText: string }): string {
  if (userShell.commandText.trim() === '') throw invalidParams('userShell.commandText: expected a command');
  return userShell.commandText;
}

function textOf(part: InputPart, index: number, session: Session): string {
  if (part.type === 'text') return stringIn(part, 'text', index);
  if (part.type !== 'skill') return '';
  const given = part['arguments'] as string | undefined;
  return expandSkill(session.state, stringIn(part, 'selector', index), given);
}

function attachmentOf(part: InputPart, index: number, session: Session): JsonObject[] {
  if (part.type === 'image') return [imageAttachment(part, index)];
  if (part.type !== 'video') return [];
  const uploadId = stringIn(part, 'uploadId', index);
  const upload = session.state.uploads.get(uploadId);
  if (!upload || upload.chunks.size < upload.chunkCount) {
    throw new ProtocolError('uploadNotFound', `upload ${uploadId} is not here whole`, { uploadId });
  }
  return [{ type: 'video', mediaType: upload.mediaType }];
}

function imageAttachment(part: InputPart, index: number): JsonObject {
  const mediaType = stringIn(part, 'mediaType', index);
  const base64 = stringIn(part, 'base64Data', index);
  if (!isBase64(base64))
    throw invalidParams(`input[${index}].base64Data: expected base64 of at least one byte`);
  const { width, height } = part;
  if ((width === undefined) !== (height === undefined))
    throw invalidParams(`input[${index}]: width and height go together`);
  return present({ type: 'image', mediaType, width, height });
}

function stringIn(part: InputPart, member: string, index: number): string {
  const value = part[member];
  if (typeof value !== 'string')
    throw invalidParams(`input[${index}].${member}: required on a ${part.type} part`);
  return value;
}

/** Strict: the canonical spelling, padded, not empty. */
export function isBase64(text: string): boolean {
  return text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
}
