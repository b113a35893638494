/** A row with its committed value, and with the draft of the transaction that holds its lock. */
class Cell<Row> {
  committed: Row | null = null;
  /** Undefined: not changed. Null: deleted. */
  draft: Row | null | undefined = undefined;
  owner: Transaction | null = null;
}

type Released = { cell: Cell<unknown>; table: Table<unknown>; key: string };

/** Makes an error as Postgres raises it, with its SQLSTATE. */
export const sqlError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * A transaction at read committed: others see its changes only after it commits. A transaction that wants a row which
 * another has changed waits.
 */
export class Transaction {
  ended = false;
  /** After a failed statement, or when its time is over, every further statement fails with this error. */
  refusal: Error | null = null;
  private readonly held = new Map<Cell<unknown>, Released>();
  private readonly waiters: (() => void)[] = [];
  private waitsFor: Transaction | null = null;

  /** Locks a row; waits for the transaction that holds it. @throws 40P01 if the two would wait for each other. */
  async lock<Row>(table: Table<Row>, key: string): Promise<Cell<Row>> {
    const cell = table.cell(key);
    while (cell.owner && cell.owner !== this) await this.wait(cell.owner);
    // A rollback removed the row while this transaction waited.
    if (table.cells.get(key) !== cell) return this.lock(table, key);
    cell.owner = this;
    this.held.set(cell, { cell, table: table as Table<unknown>, key });
    return cell;
  }

  async wait(other: Transaction): Promise<void> {
    for (let one: Transaction | null = other; one; one = one.waitsFor) {
      if (one === this) throw sqlError('40P01', 'deadlock detected');
    }
    this.waitsFor = other;
    await new Promise<void>((resolve) => other.waiters.push(resolve));
    this.waitsFor = null;
    if (this.refusal) throw this.refusal;
  }

  /** Commits the changes. @throws the refusal, if the transaction was rolled back meanwhile. */
  commit(): void {
    if (this.refusal) throw this.refusal;
    for (const { cell } of this.held.values()) if (cell.draft !== undefined) cell.committed = cell.draft;
    this.end();
  }

  rollback(): void {
    this.refusal ??= sqlError('25P02', 'current transaction is aborted');
    this.end();
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const { cell, table, key } of this.held.values()) {
      cell.draft = undefined;
      cell.owner = null;
      if (cell.committed === null) table.cells.delete(key);
    }
    for (const wake of this.waiters) wake();
  }
}

/** Rows by primary key. A reader sees the committed rows and its own changes. */
export class Table<Row> {
  readonly cells = new Map<string, Cell<Row>>();

  /** Makes an empty table. @param check the CHECK constraints; @throws SQLSTATE 23514. */
  constructor(private readonly check: (row: Row) => void = () => {}) {}

  cell(key: string): Cell<Row> {
    let cell = this.cells.get(key);
    if (!cell) {
      cell = new Cell<Row>();
      this.cells.set(key, cell);
    }
    return cell;
  }

  get(tx: Transaction | null, key: string): Row | null {
    const cell = this.cells.get(key);
    return cell ? seen(cell, tx) : null;
  }

  /** Returns all rows that fit, in the order in which they were first written. */
  find(tx: Transaction | null, fits: (row: Row) => boolean): Row[] {
    const rows: Row[] = [];
    for (const cell of this.cells.values()) {
      const row = seen(cell, tx);
      if (row !== null && fits(row)) rows.push(row);
    }
    return rows;
  }

  /** Does an `UPDATE … WHERE`: locks one row and changes it if it still fits then. @returns the new row, or null. */
  async update(
    tx: Transaction,
    key: string,
    fits: (row: Row) => boolean,
    change: Partial<Row> | ((row: Row) => Partial<Row>),
  ): Promise<Row | null> {
    const before = this.get(tx, key);
    if (before === null || !fits(before)) return null;
    const cell = await tx.lock(this, key);
    const row = seen(cell, tx);
    if (row === null || !fits(row)) return null;
    const next = { ...row, ...(typeof change === 'function' ? change(row) : change) };
    this.check(next);
    cell.draft = next;
    return next;
  }

  /** Does an `INSERT … ON CONFLICT DO NOTHING`. @returns whether the row was written. */
  async insert(tx: Transaction, key: string, row: Row): Promise<boolean> {
    const cell = await tx.lock(this, key);
    if (seen(cell, tx) !== null) return false;
    this.check(row);
    cell.draft = row;
    return true;
  }

  async delete(tx: Transaction, key: string): Promise<void> {
    if (this.get(tx, key) === null) return;
    (await tx.lock(this, key)).draft = null;
  }

  /**
   * Tells whether a unique index refuses the row because of rows that `clashes` describes. Waits for transactions
   * that may decide it.
   */
  async isTaken(tx: Transaction, clashes: (row: Row) => boolean): Promise<boolean> {
    for (;;) {
      let undecided: Transaction | null = null;
      for (const cell of this.cells.values()) {
        const row = seen(cell, tx);
        const isChanging = cell.owner !== null && cell.owner !== tx && cell.draft !== undefined;
        if (row !== null && clashes(row)) {
          if (!isChanging) return true;
          undecided = cell.owner;
        } else if (isChanging && cell.draft && clashes(cell.draft)) undecided = cell.owner;
      }
      if (!undecided) return false;
      await tx.wait(undecided);
    }
  }
}

function seen<Row>(cell: Cell<Row>, tx: Transaction | null): Row | null {
  return tx !== null && cell.owner === tx && cell.draft !== undefined ? cell.draft : cell.committed;
}
