# redsweep with its simulator and charts:
#
#   docker build -t redsweep .
#   docker run --rm -v "$PWD/results:/results" redsweep run quick
#
# With `--gpus all` and NVIDIA's container toolkit, runs measure the GPU. CUDA's libraries come as NVIDIA's wheels, fetched by make
# (setup/toolkit.sh); TOOLKIT=12 takes those for drivers older than 580.
FROM debian:12-slim AS build
ARG TOOLKIT=13
RUN apt-get update && apt-get install -y --no-install-recommends \
        binutils ca-certificates gcc git libc6-dev libcjson-dev make pkg-config python3 python3-pip python3-venv xz-utils
COPY . /source
WORKDIR /source
RUN make -s -j"$(nproc)" TOOLKIT=$TOOLKIT SETUP=user && make -s TOOLKIT=$TOOLKIT SETUP=user BUNDLE=yes PREFIX=/opt/redsweep install

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core gnuplot-nox libcjson1 && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/redsweep /opt/redsweep
ENV PATH=/opt/redsweep/bin:$PATH
# Runs go to results/ of the folder where redsweep is called.
WORKDIR /
ENTRYPOINT ["redsweep"]
CMD ["help"]
