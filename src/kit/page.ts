/** Which rows of a list a store reads. */
export interface PageRequest {
  /** Rows before the page. */
  readonly skip: number;
  /** Rows of the page. */
  readonly take: number;
}
