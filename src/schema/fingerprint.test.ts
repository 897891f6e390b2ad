import { describe, expect, it } from 'vitest';
import { fingerprintInManifest, fingerprintOfText } from './fingerprint.js';

const fingerprint = `sha256:${'0a'.repeat(32)}`;

describe('the fingerprint of a bundle', () => {
  it('is the one that its manifest states', () => {
    expect(
      fingerprintInManifest(JSON.stringify({ schemaVersion: 1, experimental: false, fingerprint })),
    ).toBe(fingerprint);
  });

  it.each([
    ['no manifest', undefined],
    ['text that is no JSON', '{'],
    ['no object', '[]'],
    ['another kind of manifest', JSON.stringify({ fingerprint })],
    ['a fingerprint of another form', JSON.stringify({ schemaVersion: 1, fingerprint: 'sha256:12' })],
  ])('is not taken from %s', (_, text) => {
    expect(fingerprintInManifest(text)).toBeUndefined();
  });

  it('is the digest of the text where no manifest states it', () => {
    expect(fingerprintOfText('')).toBe(
      `sha256:${'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'}`,
    );
  });
});
