/**
 * A string that shares no memory with another. What is cut from a string keeps the whole of it in memory, so that a
 * short piece of each of many large frames would hold all of them.
 */
export function ownCopy(piece: string): string {
  // UTF-16 keeps lone surrogates as they are.
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}
