import { defineTask } from '../../jobs/task.ts';
import { sendReset } from './forgot.ts';

/** Sends a password reset link. */
export const forgotPasswordTask = defineTask('forgot_password', (deps, request) => sendReset(deps, request));
