import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import type { PersonalOwner, PersonalTexts } from '#domain/personal-data';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import { Fault } from '#platform';
import type { AppDirectory, PersonalData } from '#tenancy';
import type { Planned } from '../feed/event-consumer.js';
import { APPS, PERSONAL_DATA } from '../tokens.js';
import { causationOf, contextFrom } from './causation.js';

type PlannedOutputs = Planned<readonly ProcessOutput[]>;

/**
 * Purchases of before decision 0097 hold texts in the clear. What goes on from them is written with the same
 * texts under the player's key, so that no new event, and no job, carries them on (rules/storage 16).
 */
@Injectable()
export class PlainTexts {
  constructor(
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPlain'>,
  ) {}

  /** The same with texts of now; what has none in the clear is given back as it is. @throws Fault of the store. */
  async seal(planned: readonly PlannedOutputs[]): Promise<readonly PlannedOutputs[]> {
    if (!planned.some(({ plan }) => plan.some(({ steps }) => steps.some(isPlain)))) return planned;
    return Promise.all(
      planned.map(async ({ event, plan }) => {
        const sealed = plan.map(async ({ process, steps }) => ({
          process,
          steps: await Promise.all(steps.map((step) => this.#sealStep(step, event, process))),
        }));
        return { event, plan: await Promise.all(sealed) };
      }),
    );
  }

  async #sealStep(step: ProcessStep, event: RecordedEvent, process: string): Promise<ProcessStep> {
    const owner = findOwner(step);
    if (owner?.personal.accountId === undefined) return step;
    const causation = causationOf(event, process);
    const context = contextFrom(causation, await this.apps.now(causation));
    try {
      const { player } = owner;
      return withTexts(step, await this.personalData.sealPlain({ ...context, player }, owner));
    } catch (error) {
      // Without a key nothing can be sealed, and a charge must not wait for that.
      if (error instanceof Fault && error.code === 'undecodable') return step;
      throw error;
    }
  }
}

/** Whether a step carries texts in the clear on. */
export function isPlain(step: ProcessStep): boolean {
  return findOwner(step)?.personal.accountId !== undefined;
}

/** What of a step becomes an event that says something of a player. */
function findOwner(step: ProcessStep): PersonalOwner | undefined {
  if (step.kind === 'charge') return step.charge;
  const isNew = step.kind === 'subscription' && step.command.kind === 'CreateSubscription';
  return isNew ? step.command.terms : undefined;
}

function withTexts(step: ProcessStep, personal: PersonalTexts): ProcessStep {
  if (step.kind === 'charge') return { ...step, charge: { ...step.charge, personal } };
  if (step.kind !== 'subscription' || step.command.kind !== 'CreateSubscription') return step;
  const terms = { ...step.command.terms, personal };
  return { ...step, command: { ...step.command, terms } };
}
