/**
 * Players' items, which are granted by webhooks, each once, and taken away when a purchase is given back in full. A
 * real game does so in its own database, in the transaction that keeps the webhook-id (docs/webhooks.md).
 */
export class Inventory {
  #items = new Map();

  /** @returns a line for each change, as an object. */
  apply({ type, isRepeated, data }) {
    if (isRepeated) return [];
    const { userId } = data;
    switch (type) {
      case 'PURCHASE_SUCCEEDED':
        return data.items.map(({ id, quantity }) => this.#change(userId, id, quantity));
      case 'FREE_ITEM_REDEEMED':
        return [this.#change(userId, data.itemId, 1)];
      case 'PURCHASE_REFUNDED':
        if (!data.isFullRefund) return [];
        return data.items.map(({ id, quantity }) => this.#change(userId, id, -quantity));
      default:
        return [];
    }
  }

  count(userId, itemId) {
    return this.#items.get(userId)?.get(itemId) ?? 0;
  }

  /** By player: the number of each item. */
  list() {
    return [...this.#items].map(([userId, items]) => ({
      userId,
      items: Object.fromEntries(items),
    }));
  }

  #change(userId, itemId, quantity) {
    const items = this.#items.get(userId) ?? new Map();
    this.#items.set(userId, items);
    const left = Math.max(0, (items.get(itemId) ?? 0) + quantity);
    items.set(itemId, left);
    return { userId, itemId, quantity, left };
  }
}
