/** Thrown if the database cannot be opened, migrated or transferred; the message tells the operator what to do. */
export class DatabaseRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseRefusal';
  }
}
