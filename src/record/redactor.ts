import { fromPointer } from '../wire/pointer.js';
import { rewriteStrings } from '../wire/rewrite.js';
import { isSecretMember, KEY_FORMS, mayHoldSecrets } from './secrets.js';

export interface RedactionRules {
  /** JSON Pointers into a frame (`*` for any one step) or member names: every string there and below is replaced. */
  readonly places: readonly string[];
  /** Whose home directory and name are replaced; undefined leaves them. */
  readonly person: { readonly home: string; readonly name: string } | undefined;
}

/**
 * Takes secrets and personal details out of frames. Equal values get equal replacements for as long as the redactor
 * lives, so that what belongs together still does; all other bytes stay as they are. Numbers and member names are
 * never touched.
 */
export class Redactor {
  readonly #pointers: readonly (readonly string[])[];
  readonly #members: ReadonlySet<string>;
  readonly #replacements = new Map<string, string>();
  readonly #done = new Map<string, Set<string>>();

  /** Throws `SyntaxError` for a place that begins with `/` and is no JSON Pointer. */
  constructor(private readonly rules: RedactionRules) {
    this.#pointers = rules.places.filter((place) => place.startsWith('/')).map(fromPointer);
    this.#members = new Set(rules.places.filter((place) => !place.startsWith('/')));
  }

  redact(raw: string): string {
    if (this.#looksForSecretsOnly && !mayHoldSecrets(raw)) return raw;
    return rewriteStrings(raw, (path, value) => {
      const redacted = this.#redactedString(path, value);
      return redacted === value ? undefined : redacted;
    });
  }

  get #looksForSecretsOnly(): boolean {
    return this.rules.places.length === 0 && this.rules.person === undefined;
  }

  /** What has been replaced, in words and without the values. */
  summary(): string[] {
    return [...this.#done].map(([what, values]) => `redacted ${values.size} different ${what}`);
  }

  #redactedString(path: readonly (string | number)[], value: string): string {
    const place = this.#placeOf(path);
    if (place !== undefined && value !== '') return this.#replacement(value, `values of ${place}`);
    const withoutKeys = value.replace(KEY_FORMS, (key) =>
      this.#replacement(key, 'tokens that look like keys'),
    );
    return this.rules.person === undefined ? withoutKeys : this.#impersonal(withoutKeys, this.rules.person);
  }

  #placeOf(path: readonly (string | number)[]): string | undefined {
    const named = path.find(
      (step) => typeof step === 'string' && (this.#members.has(step) || isSecretMember(step)),
    );
    if (named !== undefined) return JSON.stringify(named);
    const pointer = this.#pointers.find(
      (steps) =>
        steps.length <= path.length && steps.every((step, i) => step === '*' || step === String(path[i])),
    );
    return pointer && `/${pointer.join('/')}`;
  }

  #replacement(value: string, what: string): string {
    // A frame that is redacted again stays as it is.
    if (REPLACEMENT.test(value)) return value;
    this.#note(what, value);
    const known = this.#replacements.get(value) ?? `[redacted-${this.#replacements.size + 1}]`;
    this.#replacements.set(value, known);
    return known;
  }

  #impersonal(text: string, { home, name }: { readonly home: string; readonly name: string }): string {
    const withoutHome = text.replace(HOMES, (found, folder: string, person: string) => {
      if (person === STAND_IN) return found;
      this.#note('home directories', found);
      return `${folder}${STAND_IN}`;
    });
    const withoutOwnHome =
      home.length < 2 ? withoutHome : withoutHome.replaceAll(home, () => `/home/${STAND_IN}`);
    if (withoutOwnHome !== withoutHome) this.#note('home directories', home);
    if (name.length < SHORTEST_NAME || name === STAND_IN) return withoutOwnHome;
    return withoutOwnHome.replace(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'g'), () => {
      this.#note('user names', name);
      return STAND_IN;
    });
  }

  #note(what: string, value: string): void {
    const values = this.#done.get(what) ?? new Set();
    this.#done.set(what, values.add(value));
  }
}

const REPLACEMENT = /^\[redacted-\d+\]$/;

const STAND_IN = 'user';

/** A shorter name is too often a word of its own. */
const SHORTEST_NAME = 3;

const HOMES = /(\/home\/|\/Users\/|[A-Za-z]:\\Users\\)([^/\\\s"':]+)/g;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
