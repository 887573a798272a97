/**
 * A merchant's record by `service-event-sequence` and `webhook-id` (docs/webhooks.md): for each subject the missing,
 * the late and the repeated messages. It keeps all that it has seen, so it is for a short while.
 */

/** Numbers of missing messages that one line names. */
const NAMED = 10;

export class SequenceTracker {
  #ids = new Set();
  #subjects = new Map();
  #webhooks = 0;

  /**
   * Takes a genuine webhook.
   *
   * @returns its subject ("" where its body names none), how it fits: `in_order`, `gap`, `late`, `duplicate` or
   *   `unnumbered`, and which numbers are missing before it.
   */
  take({ id, sequence, data }) {
    this.#webhooks += 1;
    const name = data?.subscription_id ?? data?.id ?? '';
    const subject = this.#find(name);
    const order = this.#judge(subject, id, sequence);
    this.#ids.add(id);
    const { missing } = subject;
    if (order === 'gap') return { subject: name, order, missing: [...missing.slice(-NAMED)] };
    return { subject: name, order, missing: [] };
  }

  /** Subjects where something is missing, or came late or again; and all of them in numbers. */
  summarize() {
    const all = [...this.#subjects.values()];
    const isOdd = ({ missing, late, duplicates }) => missing.length + late + duplicates > 0;
    const sum = (count) => all.reduce((total, subject) => total + count(subject), 0);
    return {
      webhooks: this.#webhooks,
      subjects: all.filter(({ name }) => name !== '').length,
      missing: sum(({ missing }) => missing.length),
      late: sum(({ late }) => late),
      duplicates: sum(({ duplicates }) => duplicates),
      odd: all.filter(isOdd).map(({ name, highest, missing, late, duplicates }) => ({
        ...{ subject: name, highest, missing: missing.slice(0, NAMED), late, duplicates },
      })),
    };
  }

  #find(name) {
    const known = this.#subjects.get(name);
    if (known !== undefined) return known;
    // Messages of before the endpoint was there are not missing: the first number that comes is the beginning.
    const subject = { name, highest: 0, missing: [], late: 0, duplicates: 0 };
    this.#subjects.set(name, subject);
    return subject;
  }

  #judge(subject, id, sequence) {
    if (this.#ids.has(id)) {
      subject.duplicates += 1;
      return 'duplicate';
    }
    // Test messages have the number 0, and the subject of most v1 messages is not in their body.
    if (!(sequence > 0) || subject.name === '') return 'unnumbered';
    const { highest } = subject;
    if (sequence < highest) {
      subject.late += 1;
      subject.missing = subject.missing.filter((number) => number !== sequence);
      return 'late';
    }
    subject.highest = sequence;
    if (highest === 0 || sequence === highest + 1) return 'in_order';
    for (let number = highest + 1; number < sequence; number += 1) subject.missing.push(number);
    return 'gap';
  }
}

/** How a webhook fits, for people; "" where it is as it should be. */
export function describeOrder({ order, missing }) {
  switch (order) {
    case 'gap':
      return `GAP: ${missing.map((number) => `#${number}`).join(' ')} missing`;
    case 'late':
      return 'late';
    case 'duplicate':
      return 'seen before';
    default:
      return '';
  }
}

/** The sums of all of them, for people. */
export function describeSummary({ webhooks, subjects, missing, late, duplicates, odd }) {
  const lines = odd.map(({ subject, highest, ...each }) => {
    const numbers = each.missing.map((number) => `#${number}`).join(' ');
    const what = [
      ...(each.missing.length > 0 ? [`${numbers} missing`] : []),
      ...(each.late > 0 ? [`${each.late} late`] : []),
      ...(each.duplicates > 0 ? [`${each.duplicates} seen before`] : []),
    ];
    return `  ${subject || 'without a subject'}, up to #${highest}: ${what.join(', ')}`;
  });
  const total = `${webhooks} webhooks of ${subjects} subjects: ${missing} missing, ${late} late, ${duplicates} seen before`;
  return [`${total}${lines.length === 0 ? '.' : ':'}`, ...lines].join('\n');
}
