import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

/** Its libraries come from Debian, so that no test asks a network for them. */
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', GOTOOLCHAIN: 'local' };

/** A verifier of exported ledgers that shares no code with ours. */
export class GoVerifier {
  private constructor(private readonly program: string) {}

  /** Compiles it into a folder; Go and its libraries are installed where they are missing. */
  static build(folder: string): GoVerifier {
    for (const option of ['--go-alone', '--go-mod-alone']) {
      execFileSync(process.execPath, ['tools/setup.mjs', option], { stdio: 'pipe' });
    }
    const program = path.join(folder, 'seal-verify');
    execFileSync('go', ['build', '-o', program, 'test/foreign/seal/verify.go'], {
      stdio: 'pipe',
      env: { ...process.env, ...GO },
    });
    return new GoVerifier(program);
  }

  /**
   * Verifies an exported ledger, and checkpoints that came before its own.
   *
   * @returns the sentence of the verifier, and whether it found all of it right.
   */
  verify(vkey: string, folder: string, olderCheckpoints: readonly string[] = []) {
    const args = [vkey, folder, ...olderCheckpoints];
    const { status, stdout, stderr } = spawnSync(this.program, args, { encoding: 'utf8' });
    return { isRight: status === 0, sentence: `${stdout}${stderr}`.trim() };
  }
}
