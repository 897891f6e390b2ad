import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams } from '../errors.js';
import { isUuid } from '../ids.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import type { Upload } from '../state.js';
import { isBase64 } from '../submission.js';

export const MEDIA_METHODS: readonly Method[] = [command('media/upload', upload, { hasBareAck: true })];

const MEDIA_TYPES = ['video/mp4', 'video/quicktime'];

interface Chunk {
  readonly uploadId: string;
  readonly mediaType: string;
  readonly totalBytes: number;
  readonly chunkCount: number;
  readonly chunkIndex: number;
  readonly chunkBase64: string;
}

function upload(call: Call, session: Session): Decision {
  const chunk = call.params as unknown as Chunk;
  const { uploadId, mediaType, totalBytes, chunkCount, chunkIndex, chunkBase64 } = chunk;
  const begun = session.state.uploads.get(uploadId);
  const problem =
    shapeProblem(chunk) ?? (begun && continuationProblem(chunk, begun)) ?? sizeProblem(chunk, begun);
  if (problem !== undefined) throw invalidParams(problem);
  return {
    ack: { uploadId },
    effect: () => {
      const bytes = byteLength(chunkBase64);
      session.record('upload', {
        uploadId,
        mediaType,
        totalBytes,
        chunkCount,
        chunkIndex,
        bytes,
        chunkBase64,
      });
    },
  };
}

function shapeProblem(chunk: Chunk): string | undefined {
  const { uploadId, mediaType, totalBytes, chunkCount, chunkIndex, chunkBase64 } = chunk;
  if (!isUuid(uploadId)) return 'uploadId: expected a UUID';
  if (!MEDIA_TYPES.includes(mediaType)) return `mediaType: expected ${MEDIA_TYPES.join(' or ')}`;
  if (totalBytes < 1 || chunkCount < 1) return 'totalBytes and chunkCount: expected at least 1';
  if (chunkIndex < 0 || chunkIndex >= chunkCount) return `chunkIndex: expected 0 to ${chunkCount - 1}`;
  return isBase64(chunkBase64) ? undefined : 'chunkBase64: expected base64 of at least one byte';
}

function continuationProblem(chunk: Chunk, begun: Upload): string | undefined {
  const isSame =
    begun.mediaType === chunk.mediaType &&
    begun.totalBytes === chunk.totalBytes &&
    begun.chunkCount === chunk.chunkCount;
  if (!isSame) return 'mediaType, totalBytes, chunkCount: expected those of the first chunk';
  return begun.chunks.has(chunk.chunkIndex)
    ? `chunkIndex: chunk ${chunk.chunkIndex} is here already`
    : undefined;
}

function sizeProblem(chunk: Chunk, begun: Upload | undefined): string | undefined {
  const before = [...(begun?.chunks.values() ?? [])];
  const received = before.reduce((sum, bytes) => sum + bytes, byteLength(chunk.chunkBase64));
  const isLast = before.length + 1 === chunk.chunkCount;
  const isWrong = isLast ? received !== chunk.totalBytes : received >= chunk.totalBytes;
  return isWrong ? `totalBytes: expected ${chunk.totalBytes}, received ${received}` : undefined;
}

function byteLength(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}
