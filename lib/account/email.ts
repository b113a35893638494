import { z } from 'zod';

/** An e-mail address as accounts keep it: lower case, without blanks around it, 254 characters at most. */
export const emailSchema = z.string().trim().max(254).toLowerCase().pipe(z.email());
