/** A text that is not JSON. `offset` is the 0-based UTF-16 code unit at which reading stopped. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    readonly problem: string,
    readonly offset: number,
  ) {
    super(`${problem} at offset ${offset}`);
  }
}

/** What `walkJson` reports, in document order. Offsets are 0-based code units; `end` is exclusive. */
export interface JsonVisitor {
  openObject(start: number): void;
  openArray(start: number): void;
  closeObject(end: number): void;
  closeArray(end: number): void;
  /** A member's name; `start` is its opening quote. */
  name(name: string, start: number): void;
  string(value: string, start: number, end: number): void;
  number(text: string, start: number, end: number): void;
  literal(value: null | boolean, start: number, end: number): void;
}

/**
 * Reads `text` once, by the grammar that `JSON.parse` follows, and reports every token to `visitor`.
 * Uses no recursion, so nesting is bounded by memory only. Throws `JsonSyntaxError`.
 */
export function walkJson(text: string, visitor: JsonVisitor): void {
  new Walk(text, visitor).document();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const LITERALS: readonly (readonly [string, null | boolean])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class Walk {
  private at = 0;
  /** One entry for each open container: true for an object. */
  private readonly open: boolean[] = [];

  constructor(
    private readonly text: string,
    private readonly visitor: JsonVisitor,
  ) {}

  document(): void {
    this.value();
    while (this.open.length > 0) {
      this.afterValue();
    }
    this.skipWhiteSpace();
    if (this.at < this.text.length) {
      this.fail('expected the end of the text');
    }
  }

  /** Reads a scalar whole, or a container up to where its first nested value has been begun. */
  private value(): void {
    for (;;) {
      this.skipWhiteSpace();
      const start = this.at;
      switch (this.text.charCodeAt(start)) {
        case OPEN_OBJECT:
          this.at += 1;
          this.visitor.openObject(start);
          this.open.push(true);
          if (!this.firstMember()) {
            return;
          }
          break;
        case OPEN_ARRAY:
          this.at += 1;
          this.visitor.openArray(start);
          this.open.push(false);
          this.skipWhiteSpace();
          if (this.text.charCodeAt(this.at) === CLOSE_ARRAY) {
            this.close();
            return;
          }
          break;
        case QUOTE:
          this.visitor.string(this.quoted(), start, this.at);
          return;
        default:
          this.numberOrLiteral(start);
          return;
      }
    }
  }

  private firstMember(): boolean {
    this.skipWhiteSpace();
    if (this.text.charCodeAt(this.at) === CLOSE_OBJECT) {
      this.close();
      return false;
    }
    this.memberName('expected a member name in double quotes or "}"');
    return true;
  }

  private memberName(expectation: string): void {
    this.skipWhiteSpace();
    const start = this.at;
    if (this.text.charCodeAt(start) !== QUOTE) {
      this.fail(expectation);
    }
    this.visitor.name(this.quoted(), start);
    this.skipWhiteSpace();
    if (this.text.charCodeAt(this.at) !== COLON) {
      this.fail('expected ":" after a member name');
    }
    this.at += 1;
  }

  private afterValue(): void {
    this.skipWhiteSpace();
    const inObject = this.open[this.open.length - 1];
    const code = this.text.charCodeAt(this.at);
    if (code === COMMA) {
      this.at += 1;
      if (inObject) {
        this.memberName('expected a member name in double quotes after ","');
      }
      this.value();
    } else if (code === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      this.close();
    } else {
      this.fail(inObject ? 'expected "," or "}" after a member' : 'expected "," or "]" after an element');
    }
  }

  private close(): void {
    this.at += 1;
    if (this.open.pop()) {
      this.visitor.closeObject(this.at);
    } else {
      this.visitor.closeArray(this.at);
    }
  }

  private numberOrLiteral(start: number): void {
    const code = this.text.charCodeAt(start);
    if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = start;
      const text = NUMBER.exec(this.text)?.[0];
      if (text === undefined) {
        this.at += 1;
        this.fail('expected a digit after "-"');
      }
      this.at += text.length;
      this.visitor.number(text, start, this.at);
      return;
    }
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, start)) {
        this.at += word.length;
        this.visitor.literal(value, start, this.at);
        return;
      }
    }
    this.fail('expected a JSON value');
  }

  private quoted(): string {
    const start = this.at + 1;
    this.at = this.endOfPlain(start);
    if (this.text.charCodeAt(this.at) === QUOTE) {
      this.at += 1;
      return this.text.slice(start, this.at - 1);
    }
    const parts = [this.text.slice(start, this.at)];
    while (this.text.charCodeAt(this.at) !== QUOTE) {
      if (this.text.charCodeAt(this.at) !== BACKSLASH) {
        this.fail(
          this.at < this.text.length
            ? 'expected an escape for a control character in a string'
            : 'expected a closing quote',
        );
      }
      parts.push(this.escape());
      const from = this.at;
      this.at = this.endOfPlain(from);
      parts.push(this.text.slice(from, this.at));
    }
    this.at += 1;
    return parts.join('');
  }

  private endOfPlain(from: number): number {
    PLAIN_CHARACTERS.lastIndex = from;
    PLAIN_CHARACTERS.exec(this.text);
    return PLAIN_CHARACTERS.lastIndex;
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter === 'u') {
      HEX4.lastIndex = this.at + 2;
      const digits = HEX4.exec(this.text)?.[0];
      if (digits === undefined) {
        this.at += 2;
        this.fail('expected four hexadecimal digits after "\\u"');
      }
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = letter === '' ? undefined : ESCAPES[letter];
    if (character === undefined) {
      this.at += 1;
      this.fail('expected one of "\\/bfnrtu after a backslash');
    }
    this.at += 2;
    return character;
  }

  private skipWhiteSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return;
      }
      this.at += 1;
    }
  }

  private fail(expectation: string): never {
    throw new JsonSyntaxError(`${expectation}, found ${this.found()}`, this.at);
  }

  private found(): string {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) {
      return 'the end of the text';
    }
    const isPrintable = code > 0x20 && code < 0x7f;
    return isPrintable
      ? `"${String.fromCodePoint(code)}"`
      : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
}
