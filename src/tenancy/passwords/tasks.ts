import { defineTask } from '../../jobs/task.ts';
import { sendReset } from './forgot.ts';

/** Sends the link to whoever forgot their password. */
export const forgotPasswordTask = defineTask('forgot_password', (deps, request) => sendReset(deps, request));
