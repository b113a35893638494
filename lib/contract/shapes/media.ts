import { z } from 'zod';

export const media = z
  .object({
    hash: z.string().meta({ description: 'SHA-256 of the uploaded file, in hexadecimal digits.' }),
    url: z.string().meta({ description: 'The picture, at most 640 pixels wide.' }),
  })
  .meta({ id: 'Media' });

export type Media = z.output<typeof media>;
