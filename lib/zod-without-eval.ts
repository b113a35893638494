import { z } from 'zod';

// In a browser zod asks whether it may compile code, which the pages' policy forbids and reports. Imported before schemas
// that a page uses are made.
if (typeof window !== 'undefined') z.config({ jitless: true });
