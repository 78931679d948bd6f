import { z } from 'zod';

/** An id that a list gave. The API's own words, such as `summary`, stand where its ids do, so that they would ask for something
 *  else. */
export const idInput = z.string().refine((id) => /^[\w-]{1,64}$/.test(id) && id !== 'summary', {
  error: 'This is not a valid id: use one from a list',
});
