import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { type RunningProgram, startProgram } from '../../support/program.js';

const PRELOAD = path.resolve(process.env['BUILD_DIR'] ?? 'dist', 'test/chaos/gates/preload.js');
const REACHED_LIMIT_MS = 30_000;

/** A worker or projector that stops itself at a gate: right before it sends one of the named texts. */
export class GatedProgram {
  private constructor(
    /** Its name in leases. */
    readonly holder: string,
    private readonly gateFile: string,
    private readonly program: RunningProgram,
  ) {}

  /** @param folder of its gate. Resolves when it is ready. */
  static async start(
    name: 'worker' | 'projector',
    holder: string,
    folder: string,
    env: Readonly<Record<string, string>>,
  ): Promise<GatedProgram> {
    const gateFile = path.join(folder, `${holder}.gate`);
    writeFileSync(gateFile, '');
    const more = {
      ...{ INSTANCE_NAME: holder, GATE_FILE: gateFile },
      NODE_OPTIONS: `--import ${pathToFileURL(PRELOAD).href}`,
    };
    return new GatedProgram(holder, gateFile, await startProgram(name, { ...env, ...more }));
  }

  /** It stands still from the moment at which it is about to send bytes in which all these texts stand. */
  shut(texts: readonly string[]): void {
    // In one piece: the program reads it at any moment.
    writeFileSync(`${this.gateFile}.new`, JSON.stringify(texts));
    renameSync(`${this.gateFile}.new`, this.gateFile);
  }

  /** Resolves when it has reached its gate. @throws Error when it does not, within a limit. */
  async untilHeld(): Promise<void> {
    const isHeld = () => readFileSync(this.gateFile, 'utf8') === '';
    await eventually(isHeld, { what: `${this.holder} at its gate`, limitMs: REACHED_LIMIT_MS });
  }

  /** Stops it wherever it is. */
  pause(): void {
    this.program.pause();
  }

  /** It goes on, and does not know that time has passed. */
  resume(): void {
    this.program.resume();
  }

  /** Ends it where it stands, as a crash would. */
  async kill(): Promise<void> {
    await this.program.kill();
  }

  async stop(): Promise<void> {
    this.program.resume();
    await this.program.stop();
  }
}
