/** The event store at our address is another one than at our start: what we hold is about the former. */
export class StoreExchanged extends Error {
  constructor(known: string, found: string) {
    super(`the event store is another one now (${found}, at our start ${known}): start again`);
    this.name = 'StoreExchanged';
  }
}
