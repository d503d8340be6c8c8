/** Why a request to a consumer group is refused: Kafka's code, and a sentence for the client. */
export class Refusal extends Error {
  readonly errorCode: number

  constructor(errorCode: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.errorCode = errorCode
  }
}
