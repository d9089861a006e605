/**
 * An event of the log that a reader stands on. Its numbers come again where a failover or a restoration lost commits; its
 * mark does not. A position is valid exactly while its landmark stands.
 */
export interface Landmark {
  readonly tide: bigint;
  readonly id: bigint;
  /** 64 random bits. */
  readonly mark: bigint;
}

/** The beginning of the log, which always stands. */
export const START: Landmark = { tide: 0n, id: 0n, mark: 0n };
