import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import process from 'node:process';

const PROGRAM = path.resolve('test/support/clients/dotnet.cs');

export interface DotnetCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the tag of the answer before as If-Match. */
  readonly ifUnchanged?: true;
  readonly body?: unknown;
}

/** An answer, or the name of the error that the caller of HttpClient gets. */
export interface DotnetAnswer {
  readonly status?: number;
  readonly tag?: string | null;
  readonly body?: string;
  readonly error?: string;
}

/** Sends calls by an HttpClient of .NET, one after the other. @throws Error where there is no SDK from version 10 on. */
export async function callByDotnet(calls: readonly DotnetCall[]): Promise<readonly DotnetAnswer[]> {
  const env = { ...process.env, DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' };
  const child = spawn('dotnet', ['run', PROGRAM], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const started = new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  await started.catch((error: unknown) => {
    throw new Error('This test needs the .NET SDK 10: install it and begin again.', {
      cause: error,
    });
  });
  child.stdin.end(JSON.stringify(calls));
  return JSON.parse(await text(child.stdout)) as readonly DotnetAnswer[];
}
