import type { StreamFault } from '../../wire/stream-fault.js';
import type { ConnectionEnd, Observation, ObservedFrame, Rule, RuleContext } from './observation.js';
import type { Verdicts } from './verdicts.js';

/** The bytes of each server frame: encoding, size, line end, repeated member names. */
export class FrameBytes implements Rule {
  private unterminated: Extract<StreamFault, { kind: 'unterminatedLine' }> | undefined;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at }: Observation): void {
    if (at.dir === 'client') return;
    this.observeEncoding(at);
    this.observeSize(at);
    this.observeLineEnd(at);
    this.observeMembers(at);
  }

  /** A line that was thrown away because it grew past what may be held, or the rest of one at the end. */
  observeFault(fault: StreamFault): void {
    if (fault.kind === 'oversizeLine') {
      const message = `The server wrote a line of more than ${fault.limitBytes} bytes, which begins ${beginning(fault.head)}.`;
      this.verdicts.report('wire/frame-limit', { message });
    }
    if (fault.kind === 'unterminatedLine') this.unterminated = fault;
  }

  connectionClosed(how: ConnectionEnd): void {
    // A host that was killed stops where it stood; one that ended by itself has finished its last line.
    if (this.unterminated !== undefined && (how === 'drained' || how === 'settled')) {
      const { bytes, head } = this.unterminated;
      const message = `The last ${bytes} bytes have no line end; they begin ${beginning(head)}.`;
      this.verdicts.report('wire/one-frame-per-line', { message }, 'warning');
    }
    this.unterminated = undefined;
  }

  private observeEncoding(at: ObservedFrame): void {
    this.verdicts.exercise('wire/utf8');
    if (at.frame.invalidUtf8At === undefined) return;
    this.verdicts.report('wire/utf8', {
      message: `The line is not UTF-8: the first bad byte is at offset ${at.frame.invalidUtf8At}.`,
      at,
    });
  }

  private observeSize(at: ObservedFrame): void {
    this.verdicts.exercise('wire/frame-limit');
    const { frameLimitBytes } = this.context;
    if (!isLarger(at.frame.raw, frameLimitBytes)) return;
    this.verdicts.report('wire/frame-limit', {
      message: `The frame has ${Buffer.byteLength(at.frame.raw)} bytes; the limit is ${frameLimitBytes}.`,
      at,
    });
  }

  private observeLineEnd(at: ObservedFrame): void {
    this.verdicts.exercise('wire/no-carriage-return');
    if (!at.frame.raw.endsWith('\r')) return;
    this.verdicts.report('wire/no-carriage-return', {
      message: 'The line ends in CR LF; a server ends its lines in LF alone.',
      at,
    });
  }

  private observeMembers(at: ObservedFrame): void {
    if (at.frame.value === undefined) return;
    this.verdicts.exercise('wire/repeated-member');
    const repeated = at.frame.exact?.repeatedMembers ?? [];
    if (repeated.length === 0) return;
    this.verdicts.report('wire/repeated-member', {
      message: `Member names occur more than once in their object: ${repeated.join(', ')}.`,
      at,
    });
  }
}

/** Bytes of UTF-8 beyond the limit; counted only where the number of characters leaves it open. */
export function isLarger(raw: string, limitBytes: number): boolean {
  if (raw.length * 3 <= limitBytes) return false;
  return raw.length > limitBytes || Buffer.byteLength(raw) > limitBytes;
}

const BEGINNING = 80;

function beginning(head: string): string {
  return JSON.stringify(head.slice(0, BEGINNING));
}
