/** Another event store stands at our address, or the ledger was divided anew: our state is not about it. */
export class StoreExchanged extends Error {
  constructor(known: string, found: string) {
    super(
      `the ledger is another one now, or divided anew (${found}, at our start ${known}): start again`,
    );
    this.name = 'StoreExchanged';
  }
}
