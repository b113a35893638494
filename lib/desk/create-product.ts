import 'server-only';
import { createProduct as insertProduct } from '@/lib/product/create-product';
import type { CreateProductInput } from '@/lib/product/product-input';
import type { Actor } from './actor';

/** Creates a product that belongs to the actor. */
export const createProduct = (actor: Actor, input: CreateProductInput) => insertProduct(actor.userId, input);
