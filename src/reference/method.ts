import type { Call } from './call.js';

/** A method of the command plane or of the reads, as the dispatch sees it. */
export interface Method {
  readonly name: string;
  /** The grant that a connection needs for it. */
  readonly capability?: string;
  /** It makes no sense without a log on disk. */
  readonly isWithheldWhenEphemeral?: true;
  /** Answers the call, or throws what it is refused with. */
  serve(call: Call): void | Promise<void>;
}
