import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PaymentBooks } from '#domain/bookkeeping';
import { newUuid } from '#platform';

/** So many payments stay in memory, some kilobytes each: money moves mostly soon after it was charged. */
const MOST_IN_MEMORY = 1_000;
/** So many are written at once: one by one they took three times as long. A later look reads them all. */
const WRITTEN_AT_ONCE = 16;

/** Bytes of the file. */
interface Place {
  readonly start: number;
  readonly length: number;
}

/**
 * The books of all payments: those that were used last in memory, the others in a file of this process alone,
 * with their places in memory. So a payment takes a hundred bytes for as long as it may be refunded, which is for good.
 */
export class PaymentStore {
  /** In the order of their last use. */
  readonly #used = new Map<string, PaymentBooks>();
  readonly #places = new Map<string, Place>();
  /** The payments that were read last: a close asks for them in the order in which they were written. */
  #last:
    { readonly start: number; readonly payments: ReadonlyMap<string, PaymentBooks> } | undefined;
  #file: number | undefined;
  #end = 0;

  /** @param folder of the file, which is made when it is needed: it exists. */
  constructor(
    private readonly folder: string,
    private readonly mostInMemory = MOST_IN_MEMORY,
  ) {}

  /** @throws the system's error. */
  find(paymentId: string): PaymentBooks | undefined {
    const used = this.#used.get(paymentId);
    if (used !== undefined) return used;
    const place = this.#places.get(paymentId);
    return place === undefined ? undefined : this.#read(place).get(paymentId);
  }

  /** @throws the system's error. */
  set(paymentId: string, books: PaymentBooks): void {
    this.#used.delete(paymentId);
    this.#used.set(paymentId, books);
    if (this.#used.size > this.mostInMemory) this.#writeOldest();
  }

  /** Gives the disk back. */
  end(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #writeOldest(): void {
    const oldest = new Map<string, PaymentBooks>();
    for (const [paymentId, books] of this.#used) {
      oldest.set(paymentId, books);
      this.#used.delete(paymentId);
      if (oldest.size === WRITTEN_AT_ONCE) break;
    }
    const place = this.#append(serialize(oldest));
    for (const paymentId of oldest.keys()) this.#places.set(paymentId, place);
  }

  #append(bytes: Buffer): Place {
    this.#file ??= openUnseen(this.folder);
    const place = { start: this.#end, length: bytes.length };
    // A full disk takes a part of it, and then says so.
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, place.start + done);
    }
    this.#end += bytes.length;
    return place;
  }

  #read({ start, length }: Place): ReadonlyMap<string, PaymentBooks> {
    if (this.#last?.start === start) return this.#last.payments;
    if (this.#file === undefined) throw new Error('the file of payments is closed');
    const bytes = Buffer.alloc(length);
    const read = readSync(this.#file, bytes, 0, length, start);
    if (read !== length) throw new Error(`the file of payments ends at ${start + read}`);
    // This process wrote it, and no other one has the file.
    const payments = deserialize(bytes) as ReadonlyMap<string, PaymentBooks>;
    this.#last = { start, payments };
    return payments;
  }
}

/** A file without a name: it is gone when its process is, however that ends. */
function openUnseen(folder: string): number {
  const place = path.join(folder, `payments-${newUuid()}`);
  const file = openSync(place, 'wx+', 0o600);
  unlinkSync(place);
  return file;
}
