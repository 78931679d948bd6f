import { defineTask } from '../../jobs/task.ts';
import { resetRequest, sendReset } from './forgot.ts';

/** Sends the link to whoever forgot their password. */
export const forgotPasswordTask = defineTask({
  name: 'forgot_password',
  input: resetRequest,
  run: (deps, request) => sendReset(deps, request),
});
