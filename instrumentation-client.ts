import { followTranslator } from '@/components/layout/follow-translator';

// Next runs this before React takes the page over.
followTranslator();
