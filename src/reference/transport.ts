/** Where a connection's lines go. */
export interface Transport {
  write(text: string): void;
  /** Bytes that were written and not taken yet. */
  backlog(): number;
  /** Nothing more will be written. */
  end(): void;
}
