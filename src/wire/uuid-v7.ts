import { validate, version } from 'uuid';

/** True for the text form of a UUIDv7 (version and variant bits), in either case: what a `commandId` must be. */
export function isUuidV7(text: string): boolean {
  return validate(text) && version(text) === 7;
}
