"""Fills topics of a running Kafka with every kind of batch that dump-log must read. Argument: host:port."""
import sys
import time

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

SERVER = sys.argv[1]
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
SMALL = {"internal.segment.bytes": "6000", "index.interval.bytes": "300"}
BASE_MS = int(time.time() * 1000)


def create(admin, name, **config):
    topic = NewTopic(name, num_partitions=1, replication_factor=1, config={**SMALL, **config})
    for future in admin.create_topics([topic]).values():
        future.result()


def wait_for(admin, names):
    for _ in range(100):
        known = admin.list_topics(timeout=10).topics
        if all(name in known and 0 in known[name].partitions for name in names):
            return
        time.sleep(0.1)
    raise SystemExit("the topics did not appear")


def send(producer, topic, number):
    headers = [("trace", b"\x00\x01"), ("ümlaut", None)] if number % 3 == 0 else None
    producer.produce(
        topic,
        key=None if number % 4 == 1 else f"key-{number}".encode(),
        value=None if number % 7 == 5 else (f"wert ✓ {number} " * (number % 11)).encode(),
        # Timestamps go back and forth inside a batch.
        timestamp=BASE_MS - 100_000 + (number ^ 3) * 10,
        headers=headers,
    )


def send_many(producer, topic, count, per_batch):
    for number in range(count):
        send(producer, topic, number)
        if number % per_batch == per_batch - 1:
            producer.flush()
    producer.flush()


def transactions(topic):
    producer = Producer({"bootstrap.servers": SERVER, "transactional.id": f"id-of-{topic}", "linger.ms": 20})
    producer.init_transactions()
    for number in range(24):
        producer.begin_transaction()
        for record in range(number % 5 + 1):
            send(producer, topic, number * 10 + record)
        producer.flush()
        producer.abort_transaction() if number % 3 == 1 else producer.commit_transaction()


def binary(topic):
    producer = Producer({"bootstrap.servers": SERVER, "linger.ms": 20})
    for number in range(60):
        bytes_ = bytes((number * 37 + index * index * 11) % 256 for index in range(number))
        # A line feed in a payload would only make the diff harder to read.
        producer.produce(topic, key=bytes_[:5].replace(b"\n", b""), value=bytes_.replace(b"\n", b""))
    producer.flush()


def compacted(topic):
    producer = Producer({"bootstrap.servers": SERVER, "enable.idempotence": True, "linger.ms": 20})
    for number in range(300):
        value = None if number % 5 == 0 else b"v" * 40
        producer.produce(topic, key=f"k{number % 10}".encode(), value=value)
        if number % 6 == 5:
            producer.flush()
    producer.flush()


def main():
    admin = AdminClient({"bootstrap.servers": SERVER})
    names = [f"codec-{codec}" for codec in CODECS] + [f"append-{codec}" for codec in CODECS]
    for codec in CODECS:
        create(admin, f"codec-{codec}")
        create(admin, f"append-{codec}", **{"message.timestamp.type": "LogAppendTime"})
    create(admin, "plain")
    create(admin, "txn")
    create(admin, "binary")
    create(admin, "compacted", **{
        "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "delete.retention.ms": "86400000"})
    names += ["plain", "txn", "binary", "compacted"]
    wait_for(admin, names)

    compacted("compacted")
    for codec in CODECS:
        producer = Producer({"bootstrap.servers": SERVER, "enable.idempotence": True,
                             "linger.ms": 50, "compression.type": codec})
        send_many(producer, f"codec-{codec}", 200, 17)
        send_many(producer, f"append-{codec}", 120, 13)
    send_many(Producer({"bootstrap.servers": SERVER, "linger.ms": 50}), "plain", 150, 10)
    transactions("txn")
    binary("binary")


main()
