import { FENCE, type JournalRecord, SETTLEMENT, settlementKey } from '../src/reference/journal/index.js';

/** What the journal must be, whatever happens: a list, in which the first record under an id decides the later ones. */
export class Model {
  constructor(readonly log: readonly Entry[] = []) {}

  /** The model after these appends, and the answer to each. */
  append(records: readonly JournalRecord[]): { readonly next: Model; readonly answers: readonly string[] } {
    const log = [...this.log];
    const answers = records.map((record) => {
      const entry = toEntry(record);
      const first = entry.key === undefined ? -1 : log.findIndex(({ key }) => key === entry.key);
      if (first === -1) return `appended ${log.push(entry)}`;
      return `${log[first]?.text === entry.text ? 'duplicate' : 'collision'} ${first + 1}`;
    });
    return { next: new Model(log), answers };
  }

  /** The fence that the next opening writes. */
  get nextFence(): Entry {
    const fences = this.log.filter(({ text }) => text.startsWith(`${FENCE} `));
    return toEntry({ kind: FENCE, body: `{"epoch":${fences.length + 1}}` });
  }
}

export interface Entry {
  readonly key: string | undefined;
  readonly text: string;
}

export function toEntry({ kind, id, body }: JournalRecord): Entry {
  return { key: id !== undefined && kind === SETTLEMENT ? settlementKey(id) : id, text: `${kind} ${body}` };
}
