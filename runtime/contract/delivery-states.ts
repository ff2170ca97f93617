// The states of a delivery of a web hook (D48), as the API shows them.

/** Still to be delivered: `waiting` for its time, `held` (S4, or paused), `in_flight`. Over: the other states. */
export const DELIVERY_STATES = ['waiting', 'held', 'in_flight', 'delivered', 'cancelled', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
