import { AppError } from '../../../kit/errors/errors.ts';

/** A file is not a bill. A plain file is then skipped, with a warning; one that a manifest names is a data error. */
export class NotABill extends AppError {
  /** A short reason: `no columns of costs and times`. */
  readonly because: string;

  /** @param file its name for messages */
  constructor(file: string, because: string) {
    super('VALIDATION_ERROR', `${file} is not a bill: ${because}`);
    this.because = because;
  }
}
