import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from '../transcript/describe.js';
import { InputError } from '../transcript/errors.js';

/** The same rule as for reading: ids become names of folders and must not lead out of theirs. */
const SCENARIO_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Throws `InputError` for an id that could not be read again. */
export function requireScenarioId(id: string): void {
  if (SCENARIO_ID.test(id) && id.length <= 200) return;
  throw new InputError(
    { file: id },
    `the scenario id ${describe(id)} is not usable; expected letters, digits, ".", "_" and "-", beginning with a letter or digit`,
    'choose another one with --id',
  );
}

/** Throws `InputError` when the scenario is there already and may not be replaced. */
export function requireFree(out: string, id: string, force: boolean): void {
  if (force || !existsSync(join(out, id))) return;
  throw new InputError(
    { file: join(out, id) },
    'exists already',
    'choose another --id, or replace it with --force',
  );
}

/** A scenario's folder while it is being made: beside its place, under a name that no reader takes for a scenario. */
export class UnfinishedScenario {
  private constructor(
    readonly folder: string,
    private readonly out: string,
    private readonly id: string,
  ) {}

  static async begin(out: string, id: string): Promise<UnfinishedScenario> {
    const folder = join(out, `.${id}.${randomUUID()}.partial`);
    await mkdir(folder, { recursive: true });
    return new UnfinishedScenario(folder, out, id);
  }

  /** Puts the folder in its place. What is there already is replaced only when `force` says so, and whole. */
  async publish(force: boolean): Promise<string> {
    const place = join(this.out, this.id);
    const replaced = `${this.folder}.replaced`;
    requireFree(this.out, this.id, force);
    if (force && existsSync(place)) await rename(place, replaced);
    await rename(this.folder, place);
    await rm(replaced, { recursive: true, force: true });
    return place;
  }

  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
