"""The load of the crash suite, with librdkafka: one idempotent acks=all producer and one tailing consumer per run.

load.py SERVERS TOPIC PARTITIONS HISTORY RATE
Runs until its standard input ends; then flushes, reads every partition from the beginning as reader "final", and exits.
"""
import json
import sys
import threading
import time

from confluent_kafka import Consumer, Producer, TopicPartition, OFFSET_BEGINNING, OFFSET_END

servers, topic, partitions, path, rate = sys.argv[1:]
partitions, rate = int(partitions), int(rate)
history = open(path, "w", buffering=1 << 16)
writing = threading.Lock()
stopping = threading.Event()


def note(**event):
    line = json.dumps(event) + "\n"
    with writing:
        history.write(line)


def delivered(error, message):
    if error is None:
        note(type="ok", key=f"{topic}-{message.partition()}", value=message.value().decode(), offset=message.offset())
    elif error.fatal() if hasattr(error, "fatal") else False:
        print(f"fatal: {error}", file=sys.stderr)


def produce():
    producer = Producer({
        "bootstrap.servers": servers, "log_level": 2, "enable.idempotence": True, "acks": "all", "linger.ms": 2,
        "message.timeout.ms": 300000, "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200,
        "retry.backoff.ms": 20, "socket.timeout.ms": 5000, "batch.num.messages": 50,
    }, logger=None)
    number = 0
    while not stopping.is_set():
        for _ in range(max(1, rate // 100)):
            partition = number % partitions
            value = f"v{number}"
            note(type="invoke", key=f"{topic}-{partition}", value=value)
            try:
                producer.produce(topic, value, partition=partition, on_delivery=delivered)
                number += 1
            except BufferError:
                producer.poll(0.05)
        producer.poll(0.01)
    left = producer.flush(120)
    if left:
        print(f"{left} records were never acknowledged", file=sys.stderr)
        sys.exit(1)


def read(reader, offset, until):
    consumer = Consumer({
        "bootstrap.servers": servers, "log_level": 2, "group.id": "unused", "enable.auto.commit": False, "fetch.wait.max.ms": 50,
        "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200, "auto.offset.reset": "error",
    })
    consumer.assign([TopicPartition(topic, p, offset) for p in range(partitions)])
    while True:
        for message in consumer.consume(1000, 0.2):
            if message.error() is None:
                note(type="poll", reader=reader, key=f"{topic}-{message.partition()}",
                     value=message.value().decode(), offset=message.offset())
        if until(consumer):
            break
    consumer.close()


def tail():
    read("tail", OFFSET_BEGINNING, lambda _consumer: stopping.is_set())


def whole(consumer):
    for partition in range(partitions):
        _low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=30)
        position = consumer.position([TopicPartition(topic, partition)])[0].offset
        if max(position, 0) < high:
            return False
    return True


failure = []


def guarded(work):
    try:
        work()
    except BaseException as error:  # pylint: disable=broad-except
        failure.append(error)


threads = [threading.Thread(target=guarded, args=(work,)) for work in (produce, tail)]
for thread in threads:
    thread.start()
sys.stdin.read()
stopping.set()
for thread in threads:
    thread.join()
if failure:
    sys.exit(f"the load failed: {failure[0]!r}")
time.sleep(0.2)
read("final", OFFSET_BEGINNING, whole)
history.close()
