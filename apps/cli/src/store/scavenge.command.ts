import { SubCommand } from 'nest-commander';
import type { Scavenge } from '#event-store';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

const DUE =
  'The event store does not let this user: its administrator must scavenge each of its nodes.';

interface ScavengeOptions extends StoreCommandOptions {
  readonly status?: boolean;
}

@SubCommand({
  name: 'scavenge',
  description: 'let the event store forget truncated events for good, while it runs',
})
@Options({ '--status': 'print the latest ones, newest first, and start none' })
export class ScavengeStore extends StoreCommand {
  async run(_: string[], options: ScavengeOptions): Promise<void> {
    await this.withStore(options, async ({ scavenges }) => {
      if (options.status === true) {
        const latest = required(await scavenges.list());
        print(options.json, { scavenges: latest }, latest.map(describe).join('\n') || 'None yet.');
        return;
      }
      const id = required(await scavenges.start());
      const said =
        `Scavenge ${id} runs. "subledger store scavenge --status" says when it has ended. ` +
        'In a cluster, start one on each of the other nodes, too: with its address alone in EVENTSTOREDB_URL.';
      print(options.json, { scavengeId: id }, said);
    });
  }
}

/** @throws CliError where the store let no answer through. */
function required<Answer>(answer: Answer | undefined): Answer {
  if (answer !== undefined) return answer;
  throw new CliError(DUE, 'refused');
}

function describe({ id, node, startedAt, endedAt, result, error }: Scavenge): string {
  if (endedAt === undefined) return `${startedAt}  ${id}  ${node}  runs`;
  const why = error === undefined ? '' : `: ${error}`;
  return `${startedAt}  ${id}  ${node}  ${result ?? 'ended'} at ${endedAt}${why}`;
}
